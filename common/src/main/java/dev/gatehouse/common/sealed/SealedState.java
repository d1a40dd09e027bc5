package dev.gatehouse.common.sealed;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionToken;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals bytes for one browser (AES-256-GCM): readable only by nodes that share the sealing key, together with that browser's secret, for the
 * same purpose, realm, id and version, until it expires.
 *
 * <p>The key depends on the browser's secret, so a sealed text is useless in another browser, and no key seals so often that random
 * nonces could meet (NIST SP 800-38D, section 8.3), however many browsers somebody pretends to be.
 */
public final class SealedState {

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final int HEAD_BYTES = 1 + NONCE_BYTES;

  /** Bytes that sealing adds: version, nonce, expiry and tag. */
  static final int OVERHEAD = HEAD_BYTES + Long.BYTES + TAG_BYTES;

  private final SealingKey sealing;
  private final String purpose;
  private final int version;
  private final InstantSource time;
  private final RandomGenerator random;

  /**
   * @param purpose each has keys of its own
   * @param version of the payload's format, 1 to 255: another version's is unreadable
   * @param random a SecureRandom outside tests
   */
  public SealedState(SealingKey sealing, String purpose, int version, InstantSource time, RandomGenerator random) {
    if (version < 1 || version > 255) {
      throw new IllegalArgumentException("version must be 1 to 255");
    }
    this.sealing = sealing;
    this.purpose = purpose;
    this.version = version;
    this.time = time;
    this.random = random;
  }

  /**
   * Base64url without padding; another text each time.
   *
   * @param browser what only that browser holds
   * @param id of the state: it opens by the same id only
   */
  public String seal(String realm, SessionToken browser, String id, byte[] payload, Instant expiresAt) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] sealed = new byte[OVERHEAD + payload.length];
    ByteBuffer.wrap(sealed).put((byte) version).put(nonce);
    byte[] plain = ByteBuffer.allocate(Long.BYTES + payload.length).putLong(expiresAt.toEpochMilli()).put(payload).array();
    try {
      cipher(Cipher.ENCRYPT_MODE, sealed, realm, browser, id).doFinal(plain, 0, plain.length, sealed, HEAD_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  /** Takes the same effort for whatever is wrong with it. */
  public UnsealResult open(String realm, SessionToken browser, String id, String text) {
    byte[] sealed = decoded(text);
    try {
      byte[] plain =
          cipher(Cipher.DECRYPT_MODE, sealed, realm, browser, id).doFinal(sealed, HEAD_BYTES, sealed.length - HEAD_BYTES);
      ByteBuffer in = ByteBuffer.wrap(plain);
      Instant expiresAt = Instant.ofEpochMilli(in.getLong());
      byte[] payload = new byte[in.remaining()];
      in.get(payload);
      return time.instant().isBefore(expiresAt) ? new UnsealResult.Opened(payload, expiresAt) : new UnsealResult.Expired();
    } catch (AEADBadTagException e) {
      return new UnsealResult.Unreadable();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What cannot have been sealed becomes zeros, which do not open either. */
  private static byte[] decoded(String text) {
    try {
      byte[] sealed = Base64.getUrlDecoder().decode(text);
      return sealed.length < OVERHEAD ? new byte[OVERHEAD] : sealed;
    } catch (IllegalArgumentException e) {
      return new byte[OVERHEAD];
    }
  }

  private Cipher cipher(int mode, byte[] sealed, String realm, SessionToken browser, String id)
      throws GeneralSecurityException {
    SecretKey key = sealing.derive("AES", "sealed state 1", purpose, realm, browser.value());
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, sealed, 1, NONCE_BYTES));
    cipher.updateAAD(context(sealed[0], realm, id));
    return cipher;
  }

  /** With the text's version and ours: a text of another version fails as one with a changed bit does. */
  private byte[] context(byte textVersion, String realm, String id) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(128);
    out.write(textVersion);
    out.write(version);
    for (String part : new String[] {purpose, realm, id}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }
}
