package dev.gatehouse.sp.idtoken;

import java.time.Instant;
import java.util.Optional;

/** What a provider said about a person, after every rule was kept. Made by {@link IdTokenValidator} alone. */
public final class VerifiedIdToken {

  private final String issuer;
  private final String subject;
  private final String id;
  private final ClaimValues claims;
  private final Optional<String> session;
  private final Optional<String> acr;
  private final Optional<Instant> authenticatedAt;
  private final Instant issuedAt;
  private final String text;

  VerifiedIdToken(
      String issuer,
      String subject,
      String id,
      ClaimValues claims,
      Optional<String> session,
      Optional<String> acr,
      Optional<Instant> authenticatedAt,
      Instant issuedAt,
      String text) {
    this.issuer = issuer;
    this.subject = subject;
    this.id = id;
    this.claims = claims;
    this.session = session;
    this.acr = acr;
    this.authenticatedAt = authenticatedAt;
    this.issuedAt = issuedAt;
    this.text = text;
  }

  public String issuer() {
    return issuer;
  }

  /** {@code sub}. */
  public String subject() {
    return subject;
  }

  /** For the audit log: {@code jti}, or a digest of the token. */
  public String id() {
    return id;
  }

  public ClaimValues claims() {
    return claims;
  }

  /** {@code sid} (OpenID Connect Front-Channel Logout 1.0, section 3). */
  public Optional<String> session() {
    return session;
  }

  public Optional<String> acr() {
    return acr;
  }

  /** When the person was authenticated, where the provider says so ({@code auth_time}). */
  public Optional<Instant> authenticatedAt() {
    return authenticatedAt;
  }

  public Instant issuedAt() {
    return issuedAt;
  }

  /** The token itself, for {@code id_token_hint} alone. */
  public String text() {
    return text;
  }

  /** Names it without telling about the person. */
  @Override
  public String toString() {
    return "ID token " + id + " of " + issuer;
  }
}
