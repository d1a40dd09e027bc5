package dev.gatehouse.idp.consent;

import java.time.Instant;

/** Whether a partner may be told. */
public sealed interface ConsentDecision {
  /** Nobody is to be asked. */
  record NotNeeded() implements ConsentDecision {}

  /** The person agreed. @param since when they last did */
  record Given(Instant since) implements ConsentDecision {}

  /** The person has not agreed to all of it. */
  record Missing() implements ConsentDecision {}
}
