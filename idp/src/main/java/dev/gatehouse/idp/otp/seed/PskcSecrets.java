package dev.gatehouse.idp.otp.seed;

import static dev.gatehouse.idp.otp.seed.PskcXml.PKCS5;
import static dev.gatehouse.idp.otp.seed.PskcXml.PSKC;
import static dev.gatehouse.idp.otp.seed.PskcXml.XMLDSIG;
import static dev.gatehouse.idp.otp.seed.PskcXml.XMLENC;
import static dev.gatehouse.idp.otp.seed.PskcXml.XMLENC11;

import dev.gatehouse.common.saml.xml.XmlElement;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Opens the secrets of a PSKC file (RFC 6030, section 6): plain ones, and those that are encrypted by AES in CBC mode with a pre-shared key
 * or one that PBKDF2 derives from a password. CBC protects nobody from changes: a value counts only with its MAC, which is checked first.
 */
final class PskcSecrets {

  private static final int BLOCK = 16;
  private static final int MOST_ITERATIONS = 2_000_000;
  private static final int MOST_SALT = 1024;

  private static final Map<String, Integer> CIPHERS =
      Map.of(XMLENC + "aes128-cbc", 16, XMLENC + "aes192-cbc", 24, XMLENC + "aes256-cbc", 32);

  private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";

  private static final Map<String, String> MACS =
      Map.of(
          XMLDSIG + "hmac-sha1", "HmacSHA1",
          MORE + "hmac-sha256", "HmacSHA256",
          MORE + "hmac-sha384", "HmacSHA384",
          MORE + "hmac-sha512", "HmacSHA512");

  /** What an administrator gives with the file. */
  record Unlock(Optional<String> password, Optional<byte[]> key) {
    @Override
    public String toString() {
      return "Unlock";
    }
  }

  /** How values are authenticated. */
  private record MacMethod(String name, byte[] key) {}

  private final Optional<byte[]> key;
  private final Optional<MacMethod> mac;

  PskcSecrets(XmlElement container, Unlock unlock) {
    this.key = PskcXml.child(container, "EncryptionKey", PSKC).map(element -> key(element, unlock));
    this.mac = PskcXml.child(container, "MACMethod", PSKC).map(this::macMethod);
  }

  private static byte[] key(XmlElement element, Unlock unlock) {
    Optional<XmlElement> derived = PskcXml.child(element, "DerivedKey", XMLENC11);
    if (derived.isPresent()) {
      String password =
          unlock.password().orElseThrow(() -> new SeedFileUnreadable("The file is encrypted with a password: give it as `password`."));
      return derive(PskcXml.required(derived.get(), "KeyDerivationMethod", XMLENC11), password);
    }
    if (PskcXml.child(element, "KeyName", XMLDSIG).isPresent()) {
      return unlock.key()
          .orElseThrow(() -> new SeedFileUnreadable("The file is encrypted with a pre-shared key: give it in hex as `key`."));
    }
    throw new SeedFileUnreadable("The file is not encrypted with a password or a named pre-shared key; nothing else is taken.");
  }

  private static byte[] derive(XmlElement method, String password) {
    String algorithm = PskcXml.algorithm(method);
    if (!algorithm.equals(PKCS5 + "pbkdf2") && !algorithm.equals(XMLENC11 + "pbkdf2")) {
      throw new SeedFileUnreadable("The key is derived by " + algorithm + "; only PBKDF2 is taken.");
    }
    XmlElement parameters = PskcXml.required(method, "PBKDF2-params", PKCS5, XMLENC11);
    // The RFC's example leaves these elements in the namespace of the file.
    String[] any = {PKCS5, XMLENC11, PSKC, ""};
    byte[] salt = PskcXml.base64(PskcXml.required(PskcXml.required(parameters, "Salt", any), "Specified", any));
    int iterations = PskcXml.number(PskcXml.required(parameters, "IterationCount", any), MOST_ITERATIONS);
    int length = PskcXml.number(PskcXml.required(parameters, "KeyLength", any), 32);
    if (salt.length < 1 || salt.length > MOST_SALT || iterations < 1 || length != 16 && length != 24 && length != 32) {
      throw new SeedFileUnreadable("PBKDF2 needs a salt of 1 to " + MOST_SALT + " bytes, an iteration, and a key of 16, 24 or 32 bytes.");
    }
    String prf =
        PskcXml.child(parameters, "PRF", any)
            .filter(element -> element.attribute("Algorithm").isPresent())
            .map(element -> mac(PskcXml.algorithm(element)))
            .orElse("HmacSHA1");
    if (password.isEmpty()) {
      throw new SeedFileUnreadable("The password is empty.");
    }
    try {
      PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, length * Byte.SIZE);
      return SecretKeyFactory.getInstance("PBKDF2With" + prf).generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String mac(String algorithm) {
    return Optional.ofNullable(MACS.get(algorithm))
        .orElseThrow(() -> new SeedFileUnreadable("The algorithm " + algorithm + " is not taken; HMAC with SHA-1 or SHA-2 is."));
  }

  /** Without a key of its own, the MAC has that of the encryption (section 6.1.1). */
  private MacMethod macMethod(XmlElement method) {
    byte[] encryption = encryptionKey();
    byte[] own = PskcXml.child(method, "MACKey", PSKC).map(element -> decrypt(element, encryption)).orElse(encryption);
    if (own.length == 0) {
      throw new SeedFileUnreadable("The key of the MAC is empty.");
    }
    return new MacMethod(mac(PskcXml.algorithm(method)), own);
  }

  private byte[] encryptionKey() {
    return key.orElseThrow(() -> new SeedFileUnreadable("There are encrypted values, but no EncryptionKey."));
  }

  /** Returns the secret of a key. */
  byte[] open(XmlElement secret) {
    Optional<XmlElement> plain = PskcXml.child(secret, "PlainValue", PSKC);
    Optional<XmlElement> encrypted = PskcXml.child(secret, "EncryptedValue", PSKC);
    if (plain.isPresent() == encrypted.isPresent()) {
      throw new SeedFileUnreadable("The secret needs either a plain or an encrypted value.");
    }
    if (plain.isPresent()) {
      // Otherwise a value that was exchanged for a plain one would need no MAC.
      if (key.isPresent()) {
        throw new SeedFileUnreadable("The secret is not encrypted, although the file has an encryption key.");
      }
      return PskcXml.base64(plain.get());
    }
    byte[] encryption = encryptionKey();
    MacMethod method =
        mac.orElseThrow(() -> new SeedFileUnreadable("The file has no MACMethod, so that nobody knows whether it was changed."));
    byte[] expected = PskcXml.base64(PskcXml.required(secret, "ValueMAC", PSKC));
    if (!MessageDigest.isEqual(mac(method, cipherText(encrypted.get())), expected)) {
      throw new SeedFileUnreadable("The MAC is wrong: the password or key is another one, or the file was changed.");
    }
    return decrypt(encrypted.get(), encryption);
  }

  private static byte[] mac(MacMethod method, byte[] text) {
    try {
      Mac mac = Mac.getInstance(method.name());
      mac.init(new SecretKeySpec(method.key(), method.name()));
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] cipherText(XmlElement encrypted) {
    return PskcXml.base64(PskcXml.required(PskcXml.required(encrypted, "CipherData", XMLENC), "CipherValue", XMLENC));
  }

  private static byte[] decrypt(XmlElement encrypted, byte[] key) {
    String algorithm = PskcXml.algorithm(PskcXml.required(encrypted, "EncryptionMethod", XMLENC));
    int length =
        Optional.ofNullable(CIPHERS.get(algorithm))
            .orElseThrow(() -> new SeedFileUnreadable("The algorithm " + algorithm + " is not taken; AES in CBC mode is."));
    if (key.length != length) {
      throw new SeedFileUnreadable("The key has " + key.length + " bytes, and " + algorithm + " needs " + length + ".");
    }
    byte[] text = cipherText(encrypted);
    if (text.length < 2 * BLOCK || text.length % BLOCK != 0) {
      throw new SeedFileUnreadable("An encrypted value has " + text.length + " bytes, which are no blocks of AES.");
    }
    try {
      Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
      cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(text, 0, BLOCK));
      byte[] padded = cipher.doFinal(text, BLOCK, text.length - BLOCK);
      // XML Encryption, section 5.2: the last byte says how many go, and the others are anything.
      int padding = padded[padded.length - 1];
      if (padding < 1 || padding > BLOCK) {
        throw new SeedFileUnreadable("A value cannot be decrypted: the password or key is another one.");
      }
      return Arrays.copyOf(padded, padded.length - padding);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
