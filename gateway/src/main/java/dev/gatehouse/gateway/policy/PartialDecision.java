package dev.gatehouse.gateway.policy;

/**
 * What a rule says to one subject, as far as that can be said before the request is known: made once for as long as the
 * subject is the same, asked for every request.
 */
@FunctionalInterface
public interface PartialDecision {

  Decision decide(RequestAttributes facts);

  /** The same for every request. */
  static PartialDecision always(Decision decision) {
    return facts -> decision;
  }
}
