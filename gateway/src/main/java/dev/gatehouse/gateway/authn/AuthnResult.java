package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.refusal.Refusal;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** The result of authenticating a request. */
public sealed interface AuthnResult {

  /**
   * The decision of the route's rule.
   *
   * @param person or {@code -}
   * @param cookies are added to the response
   */
  record Decided(Decision decision, String person, List<HeaderEdits.Edit> cookies) implements AuthnResult {}

  /** A response that asks for credentials. */
  record Challenged(EdgeReply reply) implements AuthnResult {}

  record Refused(Refusal refusal, String person) implements AuthnResult {}

  /**
   * A task that must run first.
   *
   * @param work blocks, so it runs on a virtual thread
   * @param then gets the result of {@code work}, on the event loop
   */
  record Blocked<T>(Callable<T> work, Function<T, AuthnResult> then) implements AuthnResult {}
}
