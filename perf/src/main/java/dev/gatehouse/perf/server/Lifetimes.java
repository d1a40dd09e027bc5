package dev.gatehouse.perf.server;

import java.time.Duration;

/**
 * How long sessions and tokens live at a node that is under load for so long that what its first minutes stored has to end.
 *
 * @param idle of a session, from its last use
 * @param absolute of a session, from its login
 * @param token of an access token, and of a refresh token from its last use
 */
public record Lifetimes(Duration idle, Duration absolute, Duration token) {

  /** The keys of a {@code session}. */
  public String session() {
    return "idle: " + seconds(idle) + ", absolute: " + seconds(absolute);
  }

  /** The keys of {@code idp.oauth}. */
  public String oauth() {
    return "accessTokenLife: " + seconds(token) + ", refreshTokenLife: " + seconds(token);
  }

  private static String seconds(Duration life) {
    return life.toSeconds() + "s";
  }
}
