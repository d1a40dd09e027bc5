package dev.gatehouse.common.session;

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
 * Seals bytes (AES-256-GCM) under a key that is derived from a browser's token (HKDF, RFC 5869). Stores know only the hash of
 * the token, so sealed bytes cannot be opened from a store, nor from a heap dump of a node whose people are idle.
 */
public final class TokenSeal {

  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final String purpose;

  /** @param purpose separates keys: each purpose has its own */
  public TokenSeal(String purpose) {
    this.purpose = purpose;
  }

  /**
   * Seals {@code plain}.
   *
   * @param context authenticated: the result opens only with the same context
   * @param random a SecureRandom outside tests
   */
  public byte[] seal(SessionToken token, String context, byte[] plain, RandomGenerator random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, token, context, nonce).doFinal(plain);
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
      return all;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the plain bytes; nothing for another token or context, or if a bit was changed. */
  public Optional<byte[]> open(SessionToken token, String context, byte[] all) {
    if (all.length < NONCE_BYTES) {
      return Optional.empty();
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, token, context, Arrays.copyOf(all, NONCE_BYTES));
      return Optional.of(cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private Cipher cipher(int mode, SessionToken token, String context, byte[] nonce) throws GeneralSecurityException {
    SecretKey key =
        KDF.getInstance("HKDF-SHA256")
            .deriveKey(
                "AES",
                HKDFParameterSpec.ofExtract()
                    .addIKM(token.value().getBytes(StandardCharsets.US_ASCII))
                    .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), KEY_BYTES));
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
