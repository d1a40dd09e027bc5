package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Checks that the LogoutRequest has not expired (SAML Core 3.7.1, NotOnOrAfter), with 60 s of clock skew. */
final class LogoutExpiryCheck {

  private static final Duration SKEW = Duration.ofSeconds(60);

  private LogoutExpiryCheck() {}

  static Optional<SamlRefusal> check(LogoutRequest message, Instant now) {
    return message.notOnOrAfter().filter(end -> !now.isBefore(end.plus(SKEW))).isEmpty()
        ? Optional.empty()
        : Optional.of(new SamlRefusal(SamlRefusal.Reason.EXPIRED, "NotOnOrAfter has passed"));
  }
}
