package dev.gatehouse.idp.consent;

import java.time.Instant;

/** The decision whether attributes may be released to a partner. */
public sealed interface ConsentDecision {
  /** No consent is required. */
  record NotNeeded() implements ConsentDecision {}

  /**
   * The person has consented.
   *
   * @param since the time of the last consent
   */
  record Given(Instant since) implements ConsentDecision {}

  /** The person has not consented to all attributes. */
  record Missing() implements ConsentDecision {}
}
