package dev.gatehouse.common.device;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.crypto.Digests;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Challenges that browsers sign. A challenge names its end and the token it was made for, under a keyed digest: nothing is stored
 * until it is used, and then it is used up at all nodes.
 */
public final class DeviceChallenges {

  /** A slow security chip has this time. A proof made in advance on the device is of use no longer than that. */
  private static final Duration LIFE = Duration.ofMinutes(2);

  private static final String CONTEXT = "device-challenge";
  /** Marks challenges of invitations; no hexadecimal digit. */
  private static final String INVITATION = "i";

  private static final int RANDOM_BYTES = 16;
  private static final int MAC_DIGITS = 40;
  private static final int MAX_CHARACTERS = 160;
  private static final int PARTS = 4;

  private final SealingKey sealing;
  private final ReplayCache replay;
  private final InstantSource time;
  private final RandomGenerator random;

  public DeviceChallenges(SealingKey sealing, Stores stores, InstantSource time, RandomGenerator random) {
    this.sealing = sealing;
    this.replay = stores.replayCache();
    this.time = time;
    this.random = random;
  }

  /** Returns a challenge for the holder of that token. */
  public String issue(String realm, SessionId token) {
    return issue(realm, token, "");
  }

  private String issue(String realm, SessionId token, String mark) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    String end = Long.toString(time.instant().plus(LIFE).getEpochSecond());
    String unique = end + "." + HexFormat.of().formatHex(bytes) + mark + "." + token.value();
    return unique + "." + digest(realm, token, unique);
  }

  /** Returns the invitation to register a key: the value of {@code Secure-Session-Registration} beside a new token. */
  public String invitation(KeyPlace place, SessionId token) {
    return "(ES256 RS256);path=\"" + place.registration() + "\";challenge=\"" + issue(place.realm(), token, INVITATION) + "\"";
  }

  /** Returns whether a challenge of ours came beside a new token, so that only the browser of the login has it. */
  static boolean isInvitation(String challenge) {
    String[] parts = challenge.split("\\.", -1);
    return parts.length == PARTS && parts[1].endsWith(INVITATION);
  }

  /** Returns the token that the challenge names, if we made it. */
  Optional<SessionId> token(String realm, String challenge) {
    String[] parts = challenge.split("\\.", -1);
    if (parts.length != PARTS || challenge.length() > MAX_CHARACTERS) {
      return Optional.empty();
    }
    SessionId token = new SessionId(parts[2]);
    String unique = challenge.substring(0, challenge.lastIndexOf('.'));
    return Digests.equal(digest(realm, token, unique), parts[PARTS - 1]) ? Optional.of(token) : Optional.empty();
  }

  /** The outcome of using a challenge up. */
  enum Use {
    FIRST,
    /** Not one of ours, or made for another token. */
    FOREIGN,
    EXPIRED,
    REPLAYED
  }

  /** Uses the challenge up. Blocks. */
  Use use(String realm, SessionId token, String challenge) {
    Use use = look(realm, token, challenge);
    if (use != Use.FIRST) {
      return use;
    }
    String unique = challenge.substring(0, challenge.lastIndexOf('.'));
    ReplayKey key = new ReplayKey(realm, "device " + token.value(), unique);
    return replay.firstSeen(key, end(challenge).plusSeconds(1)) ? Use.FIRST : Use.REPLAYED;
  }

  /** Returns what {@link #use} would, and leaves the challenge unused: for what can be done only once anyway. Never {@code REPLAYED}. */
  Use look(String realm, SessionId token, String challenge) {
    if (!token(realm, challenge).equals(Optional.of(token))) {
      return Use.FOREIGN;
    }
    return time.instant().isBefore(end(challenge)) ? Use.FIRST : Use.EXPIRED;
  }

  /** The digest covers the time, so that it is one of ours. */
  private static Instant end(String challenge) {
    return Instant.ofEpochSecond(Long.parseLong(challenge.substring(0, challenge.indexOf('.'))));
  }

  private String digest(String realm, SessionId token, String unique) {
    return sealing.digest(unique, CONTEXT, realm, token.value()).substring(0, MAC_DIGITS);
  }
}
