package dev.gatehouse.sp.login;

import dev.gatehouse.sp.edge.BrowserKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * Seals bytes under a key that only the browser's cookie holds (HKDF, RFC 5869; AES-256-GCM). The store holds only the
 * hash of the cookie, so that nobody with access to the store can read what a person typed into a form.
 */
final class BrowserSeal {

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int KEY_BYTES = 32;

  private BrowserSeal() {}

  static byte[] seal(BrowserKey browser, byte[] plain, RandomGenerator random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, browser, nonce).doFinal(plain);
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
      return all;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the plain bytes; empty if another browser sealed them. */
  static Optional<byte[]> open(BrowserKey browser, byte[] all) {
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, browser, Arrays.copyOf(all, NONCE_BYTES));
      return Optional.of(cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Cipher cipher(int mode, BrowserKey browser, byte[] nonce) throws GeneralSecurityException {
    SecretKey key =
        KDF.getInstance("HKDF-SHA256")
            .deriveKey(
                "AES",
                HKDFParameterSpec.ofExtract()
                    .addIKM(browser.value().getBytes(StandardCharsets.US_ASCII))
                    .thenExpand("gatehouse kept post".getBytes(StandardCharsets.US_ASCII), KEY_BYTES));
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }
}
