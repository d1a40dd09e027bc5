package dev.gatehouse.common.saml.encryption;

import dev.gatehouse.common.crypto.RemoteKey;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-GCM (XML Encryption 1.1, section 5.2.4) and RSA-OAEP (5.5.2) by the first provider for them. A failed decryption is an
 * empty value without a reason.
 */
final class XmlCiphers {

  static final int IV_BYTES = 12;
  static final int TAG_BYTES = 16;

  private XmlCiphers() {}

  /** Returns the initialisation vector, the ciphertext and its tag, as in CipherValue. */
  static byte[] seal(byte[] key, byte[] content, SecureRandom random) {
    try {
      byte[] iv = new byte[IV_BYTES];
      random.nextBytes(iv);
      byte[] sealed = new byte[IV_BYTES + content.length + TAG_BYTES];
      System.arraycopy(iv, 0, sealed, 0, IV_BYTES);
      gcm(Cipher.ENCRYPT_MODE, key, iv).doFinal(content, 0, content.length, sealed, IV_BYTES);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is not there", e);
    }
  }

  /** Returns the plain content; empty if key, vector, ciphertext and tag do not belong together. */
  static Optional<byte[]> open(byte[] key, byte[] sealed) {
    if (sealed.length < IV_BYTES + TAG_BYTES) {
      return Optional.empty();
    }
    try {
      Cipher cipher = gcm(Cipher.DECRYPT_MODE, key, sealed);
      return Optional.of(cipher.doFinal(sealed, IV_BYTES, sealed.length - IV_BYTES));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private static Cipher gcm(int mode, byte[] key, byte[] iv) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * 8, iv, 0, IV_BYTES));
    return cipher;
  }

  static byte[] wrap(OAEPParameterSpec oaep, PublicKey to, byte[] key) {
    try {
      return rsa(Cipher.ENCRYPT_MODE, to, oaep).doFinal(key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key cannot be encrypted to " + to.getAlgorithm(), e);
    }
  }

  /** Returns the wrapped key; empty if it was not encrypted to that key. */
  static Optional<byte[]> unwrap(OAEPParameterSpec oaep, PrivateKey key, byte[] wrapped) {
    try {
      return key instanceof RemoteKey remote
          ? remote.decrypt(oaep, wrapped)
          : Optional.of(rsa(Cipher.DECRYPT_MODE, key, oaep).doFinal(wrapped));
    } catch (InvalidKeyException | InvalidAlgorithmParameterException | NoSuchPaddingException e) {
      throw new IllegalStateException("RSA-OAEP is not there for a key of ours", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("RSA-OAEP is not there", e);
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private static Cipher rsa(int mode, java.security.Key key, OAEPParameterSpec oaep) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
    cipher.init(mode, key, oaep);
    return cipher;
  }
}
