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
 * What a person let a client do (RFC 6749, section 1.3), for as long as it stands. Every token that came of it names it: once it
 * is ended (logout, revocation, a code or refresh token used twice) none of them counts any more, here or after a restart.
 *
 * @param id says nothing to who does not hold a token: random
 * @param session the IdpSession it began in, by the id that this began with ({@code IdpSession.first}); empty where there was
 *     none (password, device)
 * @param scopes granted; may only shrink
 * @param resources audiences that its access tokens may be for (RFC 8707); our own issuer where empty
 * @param authn how the person logged in
 * @param claims the {@code claims} parameter as JSON (OpenID Connect Core 5.5); empty where there was none
 * @param nonce for the first ID token (OpenID Connect Core 3.1.2.1)
 * @param details the person as the directory described them at {@code readAt}
 * @param refresh the refresh token that counts; empty where it has none
 * @param expiresAt latest end of all that came of it
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

  /** The scope of what outlives its session (OpenID Connect Core 11). */
  public static final String OFFLINE_ACCESS = "offline_access";

  /**
   * How the person logged in.
   *
   * @param acr the AuthnContextClassRef earned (OpenID Connect Core 2)
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
   * @param current hash of the one that counts
   * @param used hash of the one before, while its grace lasts
   * @param graceUntil until when {@code used} gives {@code current} again
   * @param sealed the current one, sealed, for the grace; empty without
   */
  public record Refresh(
      String current, Optional<String> used, Optional<Instant> graceUntil, Optional<String> sealed) {}

  public Authorization {
    scopes = Set.copyOf(scopes);
    resources = List.copyOf(resources);
  }

  /**
   * The session that it ends with; empty where it began in none, or outlives it (OpenID Connect Core 11; Back-Channel Logout 1.0,
   * section 2.7). A client that may stay is told of a logout all the same.
   */
  public Optional<SessionId> endsWith() {
    return scopes.contains(OFFLINE_ACCESS) ? Optional.empty() : session;
  }

  /** As it is issued: bound, with its refresh token, and without the nonce, which the first ID token has used up. */
  public Authorization issued(Optional<Confirmation> binding, Optional<Refresh> first, Instant now, Instant end) {
    return new Authorization(
        id, realm, clientId, person, session, scopes, resources, authn, claims, Optional.empty(), details, readAt,
        binding, first, now, end);
  }

  /** With the next refresh token. */
  public Authorization rotated(Refresh next, Instant end) {
    return new Authorization(
        id, realm, clientId, person, session, scopes, resources, authn, claims, nonce, details, readAt, confirmation,
        Optional.of(next), createdAt, end);
  }

  /** With the person as just read from the directory. */
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
