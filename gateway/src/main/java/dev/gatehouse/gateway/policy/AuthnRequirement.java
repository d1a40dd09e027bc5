package dev.gatehouse.gateway.policy;

/** What is missing of the person's authentication. */
public sealed interface AuthnRequirement {

  /** Any login at all. */
  record Login() implements AuthnRequirement {}
}
