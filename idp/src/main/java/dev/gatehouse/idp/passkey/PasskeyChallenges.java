package dev.gatehouse.idp.passkey;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Challenges (WebAuthn, section 13.4.3). A challenge carries its time and a keyed digest of its purpose, so that nothing is stored for a
 * browser that has proved nothing; only the mark of an answered one is.
 */
public final class PasskeyChallenges {

  /** The time that a challenge may be answered. */
  public static final Duration LIFE = Duration.ofMinutes(5);

  private static final String ISSUER = "passkey challenge";
  private static final int RANDOM_BYTES = 16;
  private static final int HEAD_BYTES = Long.BYTES + RANDOM_BYTES;
  private static final int DIGEST_BYTES = 32;

  private final SealingKey sealing;
  private final ReplayCache marks;
  private final InstantSource clock;
  private final RandomGenerator random;

  public PasskeyChallenges(SealingKey sealing, ReplayCache marks, InstantSource clock, RandomGenerator random) {
    this.sealing = sealing;
    this.marks = marks;
    this.clock = clock;
    this.random = random;
  }

  /** Creates a challenge, base64url. */
  String issue(String realm, PasskeyCeremony ceremony) {
    byte[] fresh = new byte[RANDOM_BYTES];
    random.nextBytes(fresh);
    byte[] head = ByteBuffer.allocate(HEAD_BYTES).putLong(clock.millis()).put(fresh).array();
    byte[] challenge = Arrays.copyOf(head, HEAD_BYTES + DIGEST_BYTES);
    System.arraycopy(digest(realm, ceremony, head), 0, challenge, HEAD_BYTES, DIGEST_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(challenge);
  }

  /** Returns why the challenge does not count for the ceremony; empty if it does. Takes nothing. */
  Optional<PasskeyRefusal> check(String realm, PasskeyCeremony ceremony, byte[] challenge) {
    if (challenge.length != HEAD_BYTES + DIGEST_BYTES) {
      return Optional.of(PasskeyRefusal.CHALLENGE_UNKNOWN);
    }
    byte[] head = Arrays.copyOf(challenge, HEAD_BYTES);
    byte[] digest = Arrays.copyOfRange(challenge, HEAD_BYTES, challenge.length);
    if (!MessageDigest.isEqual(digest, digest(realm, ceremony, head))) {
      return Optional.of(PasskeyRefusal.CHALLENGE_UNKNOWN);
    }
    Instant issued = issued(head);
    // A challenge of a time for which marks may have been lost would look open.
    return clock.instant().isBefore(issued.plus(LIFE)) && !issued.isBefore(marks.completeSince())
        ? Optional.empty()
        : Optional.of(PasskeyRefusal.CHALLENGE_EXPIRED);
  }

  /** Takes a challenge that {@link #check} accepted: of parallel callers one gets true. */
  boolean take(String realm, byte[] challenge) {
    Instant end = issued(challenge).plus(LIFE).plusSeconds(1);
    return marks.firstSeen(new ReplayKey(realm, ISSUER, Base64.getUrlEncoder().withoutPadding().encodeToString(challenge)), end);
  }

  private static Instant issued(byte[] head) {
    return Instant.ofEpochMilli(ByteBuffer.wrap(head).getLong());
  }

  private byte[] digest(String realm, PasskeyCeremony ceremony, byte[] head) {
    return HexFormat.of()
        .parseHex(
            sealing.digest(
                HexFormat.of().formatHex(head), ISSUER, realm, ceremony.purpose().name(), ceremony.browser(), ceremony.context()));
  }
}
