package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The id of a running logout, in the address of its page. It is random, and given to the browser of an ended session only: the page tells
 * what else the person uses, and its frames tell what the person is called there (SAML Core 8.3.7).
 *
 * <p>A POST from another site comes without our cookies, and perhaps from no browser at all. Then the id also has a digest of each ended
 * session, and the page is shown to a browser that has the cookie of one of them.
 */
record LogoutId(String value) {

  private static final String SEPARATOR = ".";

  /** 132 bits, in base64url. */
  private static final int DIGEST = 22;

  /** Bounds the address: the browsers of further sessions count as any other. */
  private static final int MAX_SESSIONS = 16;

  /** Creates one for a browser that has shown that an ended session was its own. */
  static LogoutId create(RandomGenerator random) {
    return new LogoutId(SessionToken.create(random).value());
  }

  /** Creates one for the browsers of the first of these sessions, at least one. */
  static LogoutId createFor(List<SessionId> ended, RandomGenerator random) {
    if (ended.isEmpty()) {
      throw new IllegalArgumentException("no session");
    }
    String secret = SessionToken.create(random).value();
    return new LogoutId(
        secret
            + ended.stream().limit(MAX_SESSIONS).map(session -> SEPARATOR + digest(secret, session)).collect(Collectors.joining()));
  }

  /**
   * Returns whether a browser may see the participants.
   *
   * @param session that of its cookie
   */
  boolean isFor(Optional<SessionId> session) {
    int end = value.indexOf(SEPARATOR);
    return end < 0 || session.filter(own -> value.contains(SEPARATOR + digest(value.substring(0, end), own))).isPresent();
  }

  private static String digest(String secret, SessionId session) {
    return Sha256.base64Url(secret + "\n" + session.value()).substring(0, DIGEST);
  }
}
