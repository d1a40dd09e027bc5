package dev.gatehouse.sp.idtoken;

import java.time.Instant;
import java.util.Optional;

/**
 * The statements of a provider about a person, after all rules were checked. Only {@link IdTokenValidator} creates it.
 */
public final class VerifiedIdToken {

  /**
   * The facts about the authentication.
   *
   * @param acr the claim {@code acr}
   * @param time the time of the authentication, if the provider states it ({@code auth_time})
   */
  public record Authentication(Optional<String> acr, Optional<Instant> time) {}

  private final String issuer;
  private final String subject;
  private final String id;
  private final ClaimValues claims;
  private final Optional<String> session;
  private final Authentication authentication;
  private final Instant issuedAt;
  private final String text;

  VerifiedIdToken(
      String issuer,
      String subject,
      String id,
      ClaimValues claims,
      Optional<String> session,
      Authentication authentication,
      Instant issuedAt,
      String text) {
    this.issuer = issuer;
    this.subject = subject;
    this.id = id;
    this.claims = claims;
    this.session = session;
    this.authentication = authentication;
    this.issuedAt = issuedAt;
    this.text = text;
  }

  public String issuer() {
    return issuer;
  }

  /** The claim {@code sub}. */
  public String subject() {
    return subject;
  }

  /** The ID for the audit log: {@code jti}, or a digest of the token. */
  public String id() {
    return id;
  }

  public ClaimValues claims() {
    return claims;
  }

  /** The claim {@code sid} (OpenID Connect Front-Channel Logout 1.0, section 3). */
  public Optional<String> session() {
    return session;
  }

  public Authentication authentication() {
    return authentication;
  }

  public Instant issuedAt() {
    return issuedAt;
  }

  /** The token itself, to be used only as {@code id_token_hint}. */
  public String text() {
    return text;
  }

  /** Identifies the token without personal data. */
  @Override
  public String toString() {
    return "ID token " + id + " of " + issuer;
  }
}
