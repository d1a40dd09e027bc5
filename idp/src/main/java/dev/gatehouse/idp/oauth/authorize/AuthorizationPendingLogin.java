package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Lets authorization requests wait for a person, and sees to it that each is answered once: one that was pushed or parked by that, any
 * other by its key. So a person may reload, come back and use tabs until one of them is answered; then one mark is written.
 */
final class AuthorizationPendingLogin {

  private final PendingRequests<AuthorizationRequest> room;
  private final PushedRequests pushed;

  AuthorizationPendingLogin(PendingRequests<AuthorizationRequest> room, PushedRequests pushed) {
    this.room = room;
    this.pushed = pushed;
  }

  /** To a page of ours, at which the request waits. @param page makes the page's address of the key */
  EdgeReply at(
      RealmRequest request, AuthorizationRequest asked, Optional<String> key, UnaryOperator<String> page) {
    return key.isPresent() ? EdgeReply.seeOther(page.apply(key.get())) : room.at(request, asked, page);
  }

  /** Until the browser comes back with its cookies. */
  EdgeReply park(RealmRequest request, AuthorizationRequest asked) {
    return room.park(request, asked, parked -> request.here(AuthorizeConfig.PATH) + "?parked=" + parked);
  }

  /** Makes the answer ours alone to give; the reply where somebody has given it already. */
  Optional<EdgeReply> claim(RealmRequest request, AuthorizationRequest asked, Optional<String> key) {
    return asked.pushed().isPresent()
        ? pushed(request, asked)
        : asked.parked().or(() -> key).flatMap(id -> room.claim(request, id));
  }

  /**
   * As {@link #claim}, for an error that tells nothing of anybody, since nobody is logged in: nothing is written for it, except that a
   * {@code request_uri} is used up.
   */
  Optional<EdgeReply> claimForNobody(RealmRequest request, AuthorizationRequest asked) {
    return pushed(request, asked);
  }

  private Optional<EdgeReply> pushed(RealmRequest request, AuthorizationRequest asked) {
    return asked.pushed().filter(key -> !pushed.answer(key)).map(key -> room.gone(request, "PUSHED_REQUEST_REPLAYED"));
  }

  /** The reply that answers it. */
  EdgeReply answered(RealmRequest request, Optional<String> key, EdgeReply reply) {
    return room.forgottenBy(reply, request, key);
  }
}
