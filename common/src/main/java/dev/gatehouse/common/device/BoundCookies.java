package dev.gatehouse.common.device;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The short-lived cookie of a browser that proved its key. It names its end and carries a keyed digest of the realm, the token, the
 * key and the end, so that all nodes accept it and nothing is stored for it.
 */
public final class BoundCookies {

  /** The name without the prefix {@code __Host-}. */
  public static final String NAME = "gh_bound";

  /** After this time a stolen cookie is of no use. */
  public static final Duration LIFE = Duration.ofMinutes(5);

  /** The browser proves its key again after this time: requests that are under way then still have a valid cookie. */
  public static final Duration RENEWED_AFTER = Duration.ofMinutes(4);

  private static final String CONTEXT = "device-bound";
  private static final int MAX_DIGITS = 12;
  private static final int MAC_DIGITS = 43;

  private final SealingKey sealing;

  public BoundCookies(SealingKey sealing) {
    this.sealing = sealing;
  }

  /** Returns the value of a cookie that is valid from now. */
  public String issue(String realm, SessionId token, String thumbprint, Instant now) {
    String end = Long.toString(now.plus(LIFE).getEpochSecond());
    return end + "." + digest(realm, token, thumbprint, end);
  }

  /** Returns the end of a cookie that we issued for this token and key, if it is not over. */
  public Optional<Instant> end(String realm, SessionId token, String thumbprint, String value, Instant now) {
    int dot = value.indexOf('.');
    if (dot < 1 || dot > MAX_DIGITS || !value.chars().limit(dot).allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.empty();
    }
    String text = value.substring(0, dot);
    Instant end = Instant.ofEpochSecond(Long.parseLong(text));
    // A clock of another node may be ahead, but no cookie lives longer than ours.
    boolean inTime = now.isBefore(end) && !end.isAfter(now.plus(LIFE).plus(Duration.ofSeconds(30)));
    return inTime && MessageDigest.isEqual(
            digest(realm, token, thumbprint, text).getBytes(StandardCharsets.US_ASCII),
            value.substring(dot + 1).getBytes(StandardCharsets.UTF_8))
        ? Optional.of(end)
        : Optional.empty();
  }

  private String digest(String realm, SessionId token, String thumbprint, String end) {
    return sealing.digest(end, CONTEXT, realm, token.value(), thumbprint).substring(0, MAC_DIGITS);
  }
}
