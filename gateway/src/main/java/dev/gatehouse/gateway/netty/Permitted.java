package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.Addressed;
import dev.gatehouse.gateway.route.Route;

/**
 * A request that may go on: nothing behind this point asks again who may do what.
 *
 * @param path normalised: what was authorised is what is forwarded
 */
record Permitted(RequestHead head, Addressed to, Route route, String path, Decision.Permit permit) {

  /** Whether the answer is for a known person. */
  boolean identified() {
    return !(permit.subject() instanceof Subject.Anonymous);
  }
}
