package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.MessageFreshnessCheck;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Lets sign-ons wait for a person, and sees to it that each is answered once: an AuthnRequest by its ID (which also holds for one that
 * came twice), any other by its key. The mark is written before anything is issued; one that is never answered leaves nothing behind.
 */
final class SamlPendingLogin {

  /** As long as a request may still be taken up: from its oldest IssueInstant to the end of its time on the login page. */
  private static final Duration REPLAY_MARK =
      MessageFreshnessCheck.OLDEST.plus(PendingRequests.MARK_LIFE).plus(Duration.ofMinutes(5));

  private final PendingRequests<SignOn> room;
  private final ReplayCache replay;
  private final Refusals refusals;
  private final InstantSource clock;

  SamlPendingLogin(PendingRequests<SignOn> room, ReplayCache replay, Refusals refusals, InstantSource clock) {
    this.room = room;
    this.replay = replay;
    this.refusals = refusals;
    this.clock = clock;
  }

  /** To a page of ours, at which the sign-on waits. @param page makes the page's address of the key */
  EdgeReply at(RealmRequest request, SignOn signOn, Optional<String> key, UnaryOperator<String> page) {
    return key.isPresent() ? EdgeReply.seeOther(page.apply(key.get())) : room.at(request, signOn, page);
  }

  /** Until the browser comes back with its cookies. */
  EdgeReply park(RealmRequest request, SignOn signOn) {
    return room.park(request, signOn, parked -> request.here("saml/sso") + "?parked=" + parked);
  }

  /** Makes the answer ours alone to give; the reply where somebody has given it already. */
  Optional<EdgeReply> claim(RealmRequest request, SignOn signOn, Optional<String> key) {
    if (signOn.requestId().isEmpty()) {
      return key.flatMap(waits -> room.claim(request, waits));
    }
    ReplayKey mark = new ReplayKey(signOn.realm(), signOn.partner(), signOn.requestId().get());
    return replay.firstSeen(mark, clock.instant().plus(REPLAY_MARK))
        ? Optional.empty()
        : Optional.of(
            refused(request, signOn, SamlRefusal.Reason.REPLAYED, "this AuthnRequest was answered before"));
  }

  /** The reply that answers it. */
  EdgeReply answered(RealmRequest request, Optional<String> key, EdgeReply reply) {
    return room.forgottenBy(reply, request, key);
  }

  EdgeReply refused(RealmRequest request, SignOn signOn, SamlRefusal.Reason reason, String detail) {
    return refusals.message(request, signOn.partner(), "AuthnRequest", new SamlRefusal(reason, detail));
  }
}
