package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.authn.PendingLimit;
import dev.gatehouse.idp.authn.WaitingRoom;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.MessageFreshnessCheck;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Lets sign-ons wait for a person, and sees to it that each is answered once: by its key where it waited, and an AuthnRequest
 * by its ID, which is marked before anything is issued.
 */
final class SignOnWait {

  /** As long as a request may still be taken up: from its oldest IssueInstant to the end of its time on the login page. */
  private static final Duration REPLAY_MARK =
      MessageFreshnessCheck.OLDEST.plus(PendingLimit.LIFE).plus(Duration.ofMinutes(5));

  private final WaitingRoom<PendingSignOn> room;
  private final ReplayCache replay;
  private final Refusals refusals;
  private final InstantSource clock;

  SignOnWait(WaitingRoom<PendingSignOn> room, ReplayCache replay, Refusals refusals, InstantSource clock) {
    this.room = room;
    this.replay = replay;
    this.refusals = refusals;
    this.clock = clock;
  }

  /** To a page of ours, at which the sign-on waits. @param page makes the page's address of the key */
  EdgeReply at(RealmRequest request, SignOn signOn, Optional<String> key, UnaryOperator<String> page) {
    return key.isPresent()
        ? EdgeReply.seeOther(page.apply(key.get()))
        : room.at(request, browser -> new PendingSignOn(signOn, Optional.of(browser)), page);
  }

  /** Until the browser comes back with its cookies. */
  EdgeReply park(RealmRequest request, SignOn signOn) {
    return room.park(
        request, new PendingSignOn(signOn, Optional.empty()), key -> request.here("saml/sso") + "?parked=" + key);
  }

  /** Makes the answer ours alone to give; the reply where somebody has given it already. */
  Optional<EdgeReply> claim(RealmRequest request, SignOn signOn, Optional<String> key) {
    Optional<EdgeReply> gone = key.flatMap(waits -> room.claim(request, waits));
    return gone.isEmpty() && isReplayed(signOn)
        ? Optional.of(
            refused(request, signOn, SamlRefusal.Reason.REPLAYED, "this AuthnRequest was answered before"))
        : gone;
  }

  EdgeReply refused(RealmRequest request, SignOn signOn, SamlRefusal.Reason reason, String detail) {
    return refusals.message(request, signOn.partner(), "AuthnRequest", new SamlRefusal(reason, detail));
  }

  private boolean isReplayed(SignOn signOn) {
    return signOn
        .requestId()
        .filter(
            id ->
                !replay.firstSeen(
                    new ReplayKey(signOn.realm(), signOn.partner(), id), clock.instant().plus(REPLAY_MARK)))
        .isPresent();
  }
}
