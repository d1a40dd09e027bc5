package dev.gatehouse.gateway.policy;

import java.util.List;

/** What is missing of the person's authentication. */
public sealed interface AuthnRequirement {

  /** Any login at all. */
  record Login() implements AuthnRequirement {}

  /** A login at that identity provider, in place of the one that the session is of. */
  record LoginAt(String identityProvider) implements AuthnRequirement {}

  /** A login that earns one of these AuthnContextClassRefs. */
  record StepUp(List<String> authnContext) implements AuthnRequirement {}

  /** Another login, since this one was too long ago, or nobody has used its session for too long. */
  record LoginAnew() implements AuthnRequirement {}
}
