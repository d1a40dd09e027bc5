package dev.gatehouse.common.nameid;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Checks that a request is recent (SAML Core 3.2.1, IssueInstant): replay marks need not last longer than this limit. */
final class FreshnessCheck {

  static final Duration OLDEST = Duration.ofMinutes(10);
  private static final Duration SKEW = Duration.ofSeconds(60);

  private FreshnessCheck() {}

  static Optional<SamlRefusal> check(SamlMessage message, Instant now) {
    if (message.issueInstant().isAfter(now.plus(SKEW))) {
      return Optional.of(new SamlRefusal(Reason.NOT_YET_VALID, "IssueInstant lies in the future"));
    }
    return message.issueInstant().isBefore(now.minus(OLDEST))
        ? Optional.of(new SamlRefusal(Reason.EXPIRED, "IssueInstant is too old"))
        : Optional.empty();
  }

  /** Returns the time after which a replay mark of the message is unnecessary. */
  static Instant forgotten(SamlMessage message) {
    return message.issueInstant().plus(OLDEST).plus(SKEW);
  }
}
