package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.Route;
import java.util.List;

/**
 * A request that may go on: nothing behind this point asks again who may do what.
 *
 * @param path normalised: what was authorised is what is forwarded
 * @param cookies that the answer sets, for a session that has just opened
 */
record PermittedRequest(
    RequestHead head,
    AddressedHost to,
    Route route,
    String path,
    Decision.Permit permit,
    List<HeaderEdits.Edit> cookies) {

  /** What is changed in the response's head for this very request; a kept response does not have it. */
  ResponseEdits edits() {
    return route.edits().response(to.origin(), identified(), cookies);
  }

  /** The path that the app gets, before its base path is put in front: derived from what was authorised and nothing else. */
  String appPath() {
    return route.edits().appPath(path);
  }

  /** The same, with what the app is told. */
  PermittedRequest with(HeaderEdits edits) {
    return new PermittedRequest(head, to, route, path, new Decision.Permit(permit.subject(), edits, permit.trace()), cookies);
  }

  /** Whether the answer is for a known person. */
  boolean identified() {
    return !(permit.subject() instanceof Subject.Anonymous);
  }

  /** The same, in other words to the app. */
  PermittedRequest with(RequestHead other) {
    return new PermittedRequest(other, to, route, path, permit, cookies);
  }
}
