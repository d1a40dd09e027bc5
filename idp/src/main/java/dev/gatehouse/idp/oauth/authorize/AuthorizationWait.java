package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.authn.WaitingRoom;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Lets authorization requests wait for a person, and sees to it that each is answered once: by its key where it waited, and one
 * that was pushed by that too. So a person may reload, come back and use tabs until one of them is answered.
 */
final class AuthorizationWait {

  private final WaitingRoom<PendingAuthorization> room;
  private final PushedRequests pushed;

  AuthorizationWait(WaitingRoom<PendingAuthorization> room, PushedRequests pushed) {
    this.room = room;
    this.pushed = pushed;
  }

  /** To a page of ours, at which the request waits. @param page makes the page's address of the key */
  EdgeReply at(
      RealmRequest request, AuthorizationRequest asked, Optional<String> key, UnaryOperator<String> page) {
    return key.isPresent()
        ? EdgeReply.seeOther(page.apply(key.get()))
        : room.at(request, browser -> new PendingAuthorization(asked, Optional.of(browser)), page);
  }

  /** Until the browser comes back with its cookies. */
  EdgeReply park(RealmRequest request, AuthorizationRequest asked) {
    return room.park(
        request,
        new PendingAuthorization(asked, Optional.empty()),
        key -> request.here(AuthorizeConfig.PATH) + "?parked=" + key);
  }

  /** Makes the answer ours alone to give; the reply where somebody has given it already. */
  Optional<EdgeReply> claim(RealmRequest request, AuthorizationRequest asked, Optional<String> key) {
    return key.flatMap(waits -> room.claim(request, waits))
        .or(() -> asked.pushed().filter(p -> !pushed.take(p)).map(p -> room.gone(request, "PUSHED_REQUEST_REPLAYED")));
  }
}
