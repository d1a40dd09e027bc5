package dev.gatehouse.sp.idtoken;

import java.time.Instant;
import java.util.Optional;

/**
 * Names the sessions that a provider has ended. Only {@link LogoutTokenValidator} creates it. At least one of subject
 * and session is present.
 */
public final class VerifiedLogoutToken {

  private final String issuer;
  private final Optional<String> subject;
  private final Optional<String> session;
  private final String id;
  private final Instant issuedAt;
  private final Instant acceptableUntil;

  VerifiedLogoutToken(
      String issuer,
      Optional<String> subject,
      Optional<String> session,
      String id,
      Instant issuedAt,
      Instant acceptableUntil) {
    this.issuer = issuer;
    this.subject = subject;
    this.session = session;
    this.id = id;
    this.issuedAt = issuedAt;
    this.acceptableUntil = acceptableUntil;
  }

  public String issuer() {
    return issuer;
  }

  public Optional<String> subject() {
    return subject;
  }

  /** The claim {@code sid}. */
  public Optional<String> session() {
    return session;
  }

  /** The claim {@code jti}. */
  public String id() {
    return id;
  }

  public Instant issuedAt() {
    return issuedAt;
  }

  /** The time from which the token would be refused as expired, clock skew included. */
  public Instant acceptableUntil() {
    return acceptableUntil;
  }
}
