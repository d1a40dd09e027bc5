package dev.gatehouse.idp.session;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The decision whether existing logins satisfy a sign-on, and what is missing otherwise. */
public sealed interface AuthnDecision {

  /**
   * This session satisfies it.
   *
   * @param classRef the AuthnContextClassRef to assert
   * @param at the AuthnInstant to assert
   * @param by the contracts of the authentication at that time, and the first step on which the class is based; in order, never empty
   */
  record Satisfied(String classRef, Instant at, List<AuthnEvent> by) implements AuthnDecision {
    public Satisfied {
      by = List.copyOf(by);
    }
  }

  /** A second factor on top of this session satisfies it; the first step is not repeated. */
  record StepUp() implements AuthnDecision {}

  /** A login with one of these contracts satisfies it, perhaps with a second factor. The set is never empty. */
  record Login(Set<LoginContract> contracts) implements AuthnDecision {
    public Login {
      contracts = Set.copyOf(contracts);
    }
  }

  /** Nothing that this realm offers satisfies it: NoAuthnContext. */
  record Never() implements AuthnDecision {}
}
