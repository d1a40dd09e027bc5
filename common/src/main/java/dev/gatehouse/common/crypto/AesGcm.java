package dev.gatehouse.common.crypto;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES-GCM (NIST SP 800-38D) with reused ciphers: each is initialised with its key and nonce every time. Encrypting twice in a row
 * with the same key and nonce throws.
 */
public final class AesGcm {

  public static final int NONCE_BYTES = 12;
  public static final int TAG_BYTES = 16;

  private static final InstancePool<Cipher> CIPHERS = new InstancePool<>(() -> Cipher.getInstance("AES/GCM/NoPadding"));

  private AesGcm() {}

  /**
   * Writes ciphertext and tag.
   *
   * @param out contains the nonce at {@code nonceAt} and receives the ciphertext from {@code at} on
   */
  public static void encrypt(SecretKey key, byte[] aad, byte[] plain, byte[] out, int nonceAt, int at)
      throws GeneralSecurityException {
    CIPHERS.use(
        cipher -> {
          cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(8 * TAG_BYTES, out, nonceAt, NONCE_BYTES));
          cipher.updateAAD(aad);
          return cipher.doFinal(plain, 0, plain.length, out, at);
        });
  }

  /**
   * Returns the plain text; throws {@link javax.crypto.AEADBadTagException} if anything was changed.
   *
   * @param in contains the nonce at {@code nonceAt}, and the ciphertext and tag from {@code at} to its end
   */
  public static byte[] decrypt(SecretKey key, byte[] aad, byte[] in, int nonceAt, int at) throws GeneralSecurityException {
    return CIPHERS.use(
        cipher -> {
          cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(8 * TAG_BYTES, in, nonceAt, NONCE_BYTES));
          cipher.updateAAD(aad);
          return cipher.doFinal(in, at, in.length - at);
        });
  }
}
