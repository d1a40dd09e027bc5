package dev.gatehouse.gateway.console;

import dev.gatehouse.common.admin.PersonLogins.Provider;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.node.Node.AdminLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A person's login that has begun in this browser.
 *
 * @param state of the authorization request (RFC 6749, section 10.12)
 * @param nonce of the authorization request (OpenID Connect Core 15.5.2)
 * @param codeVerifier RFC 7636, section 4.1
 * @param page where the login leads to
 * @param again whether only a login within the last minute counts
 * @param replaced the id of the session that the login replaces
 * @param setUp present if the login makes somebody the first administrator
 */
record PendingLogin(
    String state,
    String nonce,
    String codeVerifier,
    Instant createdAt,
    String page,
    boolean again,
    Optional<String> replaced,
    Optional<SetUpClaim> setUp) {

  /** Of a login that must be recent: less than what is asked for later, so that it stays recent for a while. */
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  /**
   * The use of the set-up link.
   *
   * @param person the id of the person who must log in
   */
  record SetUpClaim(String person, String codeDigest) {}

  /**
   * Returns the authorization request (OpenID Connect Core 3.1.2.1), with PKCE by S256 (RFC 7636, section 4.3).
   *
   * @param hint the name for the login form
   */
  String authorizationUrl(Provider provider, AdminLogin login, Optional<String> hint) {
    return Address.with(
        provider.authorizationEndpoint(),
        "response_type", "code",
        "client_id", AdminLogin.CLIENT_ID,
        "redirect_uri", login.redirectUri(),
        "scope", "openid",
        "state", state,
        "nonce", nonce,
        "code_challenge", Sha256.base64Url(codeVerifier),
        "code_challenge_method", "S256",
        "max_age", again ? String.valueOf(MAX_AGE.toSeconds()) : "",
        "prompt", setUp.isPresent() ? "login" : "",
        "login_hint", hint.orElse(""));
  }

  /** Contains no secret. */
  @Override
  public String toString() {
    return "PendingLogin[" + page + "]";
  }
}
