package dev.gatehouse.common.sealed;

import dev.gatehouse.common.key.AesGcm;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionToken;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.SecretKey;

/**
 * Seals bytes for one browser (AES-256-GCM): readable only by nodes that share the sealing key, together with that browser's secret, for the
 * same purpose, realm, id and version, until it expires.
 *
 * <p>The key depends on the browser's secret, so a sealed text is useless in another browser, and no key seals so often that random
 * nonces could meet (NIST SP 800-38D, section 8.3), however many browsers somebody pretends to be.
 */
public final class SealedState {

  private static final int HEAD_BYTES = 1 + AesGcm.NONCE_BYTES;

  /** Bytes that sealing adds: version, nonce, expiry and tag. */
  static final int OVERHEAD = HEAD_BYTES + Long.BYTES + AesGcm.TAG_BYTES;

  private final SealingKey sealing;
  private final String purpose;
  private final byte[] purposeBytes;
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
    this.purposeBytes = purpose.getBytes(StandardCharsets.UTF_8);
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
    byte[] nonce = new byte[AesGcm.NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] sealed = new byte[OVERHEAD + payload.length];
    ByteBuffer.wrap(sealed).put((byte) version).put(nonce);
    byte[] plain = ByteBuffer.allocate(Long.BYTES + payload.length).putLong(expiresAt.toEpochMilli()).put(payload).array();
    try {
      AesGcm.encrypt(key(realm, browser), context(sealed[0], realm, id), plain, sealed, 1, HEAD_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  /** Takes the same effort for whatever is wrong with it. */
  public UnsealResult open(String realm, SessionToken browser, String id, String text) {
    byte[] sealed = decoded(text);
    try {
      byte[] plain = AesGcm.decrypt(key(realm, browser), context(sealed[0], realm, id), sealed, 1, HEAD_BYTES);
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

  private SecretKey key(String realm, SessionToken browser) {
    return sealing.derive("AES", "sealed state 1", purpose, realm, browser.value());
  }

  /** With the text's version and ours: a text of another version fails as one with a changed bit does. */
  private byte[] context(byte textVersion, String realm, String id) {
    byte[] realmBytes = realm.getBytes(StandardCharsets.UTF_8);
    byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        ByteBuffer.allocate(2 + 3 * Integer.BYTES + purposeBytes.length + realmBytes.length + idBytes.length)
            .put(textVersion)
            .put((byte) version);
    for (byte[] part : new byte[][] {purposeBytes, realmBytes, idBytes}) {
      out.putInt(part.length).put(part);
    }
    return out.array();
  }
}
