package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.StateCookie;
import java.net.URI;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Creates the {@code session_state} of authorization responses (OpenID Connect Session Management 1.0, section 3). A
 * client's page compares it, in a frame of ours, with the browser's {@link StateCookie}.
 */
public final class SessionStates {

  private static final int SALT_CHARACTERS = 16;

  private final RandomGenerator random;

  public SessionStates(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Returns the value; empty if no page can have the redirect URI's origin.
   *
   * @param session the session of the response; empty if nobody is logged in
   */
  public Optional<String> of(String clientId, String redirectUri, Optional<IdpSession> session) {
    String salt = SessionToken.create(random).value().substring(0, SALT_CHARACTERS);
    String state = session.map(StateCookie::value).orElse("");
    return origin(redirectUri).map(origin -> of(clientId, origin, state, salt));
  }

  /** Computes the value as {@code check-session.js} does: hexadecimal digits, a dot and the salt. */
  static String of(String clientId, String origin, String state, String salt) {
    return Sha256.hex(clientId + " " + origin + " " + state + " " + salt) + "." + salt;
  }

  private static Optional<String> origin(String redirectUri) {
    try {
      return Optional.of(Origin.of(URI.create(redirectUri)).toString());
    } catch (IllegalArgumentException e) {
      // An app's private scheme has no page that could ask.
      return Optional.empty();
    }
  }
}
