package dev.gatehouse.idp.oauth;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
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
 * @param authn the person's authentication
 * @param expiresAt the latest end of all its tokens; of a device that has none yet, the end of its code
 */
public record Authorization(
    SessionId id,
    String realm,
    String clientId,
    Optional<SessionId> session,
    Grant grant,
    Authn authn,
    PersonSnapshot snapshot,
    Tokens tokens,
    Instant createdAt,
    Instant expiresAt)
    implements Session {

  /** The name of the store. */
  public static final String STORE = "oauth-authorizations";

  /** The scope for tokens that outlive their session (OpenID Connect Core 11). */
  public static final String OFFLINE_ACCESS = "offline_access";

  /**
   * The scopes, resources and claims that the person has granted.
   *
   * @param scopes the granted scopes; they never change, and a token may have fewer
   * @param resources audiences for which its access tokens may be issued (RFC 8707); empty means our own issuer
   * @param claims the {@code claims} parameter as JSON (OpenID Connect Core 5.5); empty if there was none
   * @param nonce for the first ID token (OpenID Connect Core 3.1.2.1)
   */
  public record Grant(
      Set<String> scopes, List<String> resources, Optional<String> claims, Optional<String> nonce) {

    public Grant {
      scopes = Set.copyOf(scopes);
      resources = List.copyOf(resources);
    }

    /** Returns a grant of scopes only, without a {@code claims} parameter and a nonce. */
    public static Grant of(Set<String> scopes, List<String> resources) {
      return new Grant(scopes, resources, Optional.empty(), Optional.empty());
    }
  }

  /**
   * The tokens issued from it.
   *
   * @param confirmation the key to which they are bound
   * @param refresh the valid refresh token; empty if there is none
   */
  public record Tokens(Optional<Confirmation> confirmation, Optional<Refresh> refresh) {

    /** No tokens were issued yet. */
    public static final Tokens NONE = new Tokens(Optional.empty(), Optional.empty());
  }

  /**
   * The person's authentication.
   *
   * @param acr the achieved AuthnContextClassRef (OpenID Connect Core 2)
   * @param amr the methods of the authentication at that time (RFC 8176)
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

  @Override
  public PersonId person() {
    return snapshot.person();
  }

  /**
   * The session with which it ends; empty if it began in none, or outlives it (OpenID Connect Core 11; Back-Channel
   * Logout 1.0, section 2.7). A client whose authorization outlives the session is nevertheless notified of a logout.
   */
  public Optional<SessionId> endsWith() {
    return grant.scopes().contains(OFFLINE_ACCESS) ? Optional.empty() : session;
  }

  /**
   * The authorization as issued: bound, with its refresh token, and without the nonce, which the first ID token has
   * used.
   */
  public Authorization issued(Optional<Confirmation> binding, Optional<Refresh> first, Instant now, Instant end) {
    Grant lasting = new Grant(grant.scopes(), grant.resources(), grant.claims(), Optional.empty());
    return new Authorization(
        id, realm, clientId, session, lasting, authn, snapshot, new Tokens(binding, first), now, end);
  }

  /** The authorization with the next refresh token. */
  public Authorization rotated(Refresh next, Instant end) {
    Tokens rotated = new Tokens(tokens.confirmation(), Optional.of(next));
    return new Authorization(id, realm, clientId, session, grant, authn, snapshot, rotated, createdAt, end);
  }

  /** The authorization with the person's data just read from the directory. */
  public Authorization reread(Person now, Instant at) {
    return new Authorization(
        id, realm, clientId, session, grant, authn, snapshot.reread(now, at), tokens, createdAt, expiresAt);
  }

  @Override
  public Set<String> indexKeys() {
    return Set.of();
  }
}
