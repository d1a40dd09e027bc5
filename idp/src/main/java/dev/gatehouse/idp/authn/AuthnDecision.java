package dev.gatehouse.idp.authn;

import java.time.Instant;
import java.util.Set;

/** Whether a sign-on is answered by the logins that there are, and what has to happen where it is not. */
public sealed interface AuthnDecision {

  /**
   * By this session.
   *
   * @param classRef the AuthnContextClassRef to assert
   * @param at the AuthnInstant to assert
   */
  record Satisfied(String classRef, Instant at) implements AuthnDecision {}

  /** By a second factor on top of this session: the first step is not asked for again. */
  record StepUp() implements AuthnDecision {}

  /** By a login at one of these contracts; a second factor may have to follow. Never empty. */
  record Login(Set<LoginContract> contracts) implements AuthnDecision {
    public Login {
      contracts = Set.copyOf(contracts);
    }
  }

  /** By nothing that this realm offers: NoAuthnContext. */
  record Never() implements AuthnDecision {}
}
