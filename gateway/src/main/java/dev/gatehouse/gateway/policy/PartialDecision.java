package dev.gatehouse.gateway.policy;

/**
 * A rule's decision for one subject, as far as it does not depend on the request. It is created once while the subject
 * is the same, and evaluated for every request.
 */
@FunctionalInterface
public interface PartialDecision {

  Decision decide(RequestAttributes request);

  /** A decision that is the same for every request. */
  static PartialDecision always(Decision decision) {
    return request -> decision;
  }
}
