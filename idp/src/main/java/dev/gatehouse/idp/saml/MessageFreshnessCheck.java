package dev.gatehouse.idp.saml;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that a request is not from the future and not older than the time that a person may take to follow it (SAML
 * Core 3.2.1, IssueInstant). The tolerance is large for the past, because the ID detects replays, and 60 s for the
 * future, for clocks that differ.
 */
public final class MessageFreshnessCheck {

  /** Requests older than this are refused; replay marks must last at least as long. */
  public static final Duration OLDEST = Duration.ofHours(1);

  private static final Duration SKEW = Duration.ofSeconds(60);

  private MessageFreshnessCheck() {}

  public static Optional<SamlRefusal> check(SamlMessage message, Instant now) {
    if (message.issueInstant().isAfter(now.plus(SKEW))) {
      return Optional.of(new SamlRefusal(SamlRefusal.Reason.NOT_YET_VALID, "IssueInstant lies in the future"));
    }
    if (message.issueInstant().isBefore(now.minus(OLDEST))) {
      return Optional.of(new SamlRefusal(SamlRefusal.Reason.EXPIRED, "IssueInstant is too old"));
    }
    return Optional.empty();
  }
}
