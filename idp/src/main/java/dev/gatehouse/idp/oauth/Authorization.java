package dev.gatehouse.idp.oauth;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The authorization that a person gave a client (RFC 6749, section 1.3), for as long as it is valid. Every token issued
 * from it names it: when it ends (by logout, revocation, or a code or refresh token that was used twice), none of them
 * is valid any more, even after a restart.
 *
 * @param id random, so that it reveals nothing
 * @param session the IdpSession in which it began, by that session's first id ({@code IdpSession.first}); empty if
 *     there was none (password, device)
 * @param scopes the granted scopes; the set can only shrink
 * @param resources audiences for which its access tokens may be issued (RFC 8707); empty means our own issuer
 * @param authn the person's authentication
 * @param claims the {@code claims} parameter as JSON (OpenID Connect Core 5.5); empty if there was none
 * @param nonce for the first ID token (OpenID Connect Core 3.1.2.1)
 * @param details the person's data in the directory at {@code readAt}
 * @param refresh the valid refresh token; empty if there is none
 * @param expiresAt the latest end of all its tokens
 */
public record Authorization(
    SessionId id,
    String realm,
    String clientId,
    PersonId person,
    Optional<SessionId> session,
    Set<String> scopes,
    List<String> resources,
    Authn authn,
    Optional<String> claims,
    Optional<String> nonce,
    Person details,
    Instant readAt,
    Optional<Confirmation> confirmation,
    Optional<Refresh> refresh,
    Instant createdAt,
    Instant expiresAt)
    implements Session {

  /** The name of the store. */
  public static final String STORE = "oauth-authorizations";

  /** The scope for tokens that outlive their session (OpenID Connect Core 11). */
  public static final String OFFLINE_ACCESS = "offline_access";

  /**
   * The person's authentication.
   *
   * @param acr the achieved AuthnContextClassRef (OpenID Connect Core 2)
   * @param amr RFC 8176
   */
  public record Authn(Instant time, String acr, List<String> amr) {
    public Authn {
      amr = List.copyOf(amr);
    }
  }

  /**
   * The family of refresh tokens (RFC 9700, section 4.14.2).
   *
   * @param current hash of the valid one
   * @param used hash of the previous one, during its grace period
   * @param graceUntil the time until which {@code used} returns {@code current} again
   * @param sealed the current one, sealed, for the grace period; empty if there is none
   */
  public record Refresh(
      String current, Optional<String> used, Optional<Instant> graceUntil, Optional<String> sealed) {}

  public Authorization {
    scopes = Set.copyOf(scopes);
    resources = List.copyOf(resources);
  }

  /**
   * The session with which it ends; empty if it began in none, or outlives it (OpenID Connect Core 11; Back-Channel
   * Logout 1.0, section 2.7). A client whose authorization outlives the session is nevertheless notified of a logout.
   */
  public Optional<SessionId> endsWith() {
    return scopes.contains(OFFLINE_ACCESS) ? Optional.empty() : session;
  }

  /**
   * The authorization as issued: bound, with its refresh token, and without the nonce, which the first ID token has
   * used.
   */
  public Authorization issued(Optional<Confirmation> binding, Optional<Refresh> first, Instant now, Instant end) {
    return new Authorization(
        id, realm, clientId, person, session, scopes, resources, authn, claims, Optional.empty(), details, readAt,
        binding, first, now, end);
  }

  /** The authorization with the next refresh token. */
  public Authorization rotated(Refresh next, Instant end) {
    return new Authorization(
        id, realm, clientId, person, session, scopes, resources, authn, claims, nonce, details, readAt, confirmation,
        Optional.of(next), createdAt, end);
  }

  /** The authorization with the person's data just read from the directory. */
  public Authorization reread(Person now, Instant at) {
    return new Authorization(
        id, realm, clientId, person, session, scopes, resources, authn, claims, nonce, now, at, confirmation, refresh,
        createdAt, expiresAt);
  }

  @Override
  public Set<String> indexKeys() {
    return Set.of();
  }
}
