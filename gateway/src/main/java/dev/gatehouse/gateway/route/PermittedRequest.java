package dev.gatehouse.gateway.route;

import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Subject;
import java.util.List;

/**
 * A request that was permitted; nothing after this point authorizes again.
 *
 * @param path normalised: the authorized path is the one that is forwarded
 * @param cookies that the response sets, for a session that was just opened
 */
public record PermittedRequest(
    RequestHead head,
    AddressedHost to,
    Route route,
    String path,
    Decision.Permit permit,
    List<HeaderEdits.Edit> cookies) {

  /** The changes of the response's head for this very request; a stored response does not contain them. */
  public ResponseEdits edits() {
    return route.edits().response(to.origin(), identified(), cookies);
  }

  /** The path that the app gets, after its base path; it is derived only from the authorized path. */
  public String appPath() {
    return route.edits().appPath(path);
  }

  /** A copy with complete header edits for the app. */
  public PermittedRequest with(HeaderEdits edits) {
    return new PermittedRequest(head, to, route, path, new Decision.Permit(permit.subject(), edits, permit.trace()), cookies);
  }

  /** Returns whether the response is for an authenticated person. */
  public boolean identified() {
    return !(permit.subject() instanceof Subject.Anonymous);
  }

  /** A copy with another head for the app. */
  public PermittedRequest with(RequestHead other) {
    return new PermittedRequest(other, to, route, path, permit, cookies);
  }
}
