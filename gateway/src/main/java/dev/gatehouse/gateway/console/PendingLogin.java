package dev.gatehouse.gateway.console;

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

  /**
   * The use of the set-up link.
   *
   * @param person the id of the person who must log in
   */
  record SetUpClaim(String person, String codeDigest) {}

  /** Contains no secret. */
  @Override
  public String toString() {
    return "PendingLogin[" + page + "]";
  }
}
