package dev.gatehouse.common.sealed;

import dev.gatehouse.common.crypto.AesGcm;
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
 * Seals bytes for one browser (AES-256-GCM). Only nodes that share the sealing key can read them, together with that browser's
 * secret, for the same purpose, realm, id and version, until they expire.
 *
 * <p>The key depends on the browser's secret, so a sealed text is useless in another browser. No key seals often enough for random
 * nonces to collide (NIST SP 800-38D, section 8.3), however many browsers an attacker pretends to be.
 */
public final class SealedState {

  private static final int HEAD_BYTES = 1 + AesGcm.NONCE_BYTES;

  /** Number of bytes that sealing adds: version, nonce, expiry and tag. */
  static final int OVERHEAD = HEAD_BYTES + Long.BYTES + AesGcm.TAG_BYTES;

  private final SealingKey sealing;
  private final String purpose;
  private final byte[] purposeBytes;
  private final int version;
  private final InstantSource time;
  private final RandomGenerator random;

  /**
   * Creates a seal.
   *
   * @param purpose separates keys: each purpose has its own
   * @param version of the payload's format, 1 to 255; other versions are unreadable
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
   * Returns the sealed payload in base64url without padding; the text differs each time.
   *
   * @param browser the browser's secret token
   * @param id of the state: it opens only with the same id
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

  /** Opens a sealed text, with the same effort for every kind of failure. */
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

  /** Decodes the text; returns zeros, which do not open either, for text that cannot have been sealed. */
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

  /** Contains the text's version and ours: a text of another version fails like one with a changed bit. */
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
