package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.idp.authn.BrowserBinding;
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
      MessageFreshnessCheck.OLDEST.plus(PendingSignOns.LIFE).plus(Duration.ofMinutes(5));

  private final PendingSignOns pending;
  private final BrowserBinding browsers;
  private final ReplayCache replay;
  private final Refusals refusals;
  private final InstantSource clock;

  SignOnWait(
      PendingSignOns pending, BrowserBinding browsers, ReplayCache replay, Refusals refusals, InstantSource clock) {
    this.pending = pending;
    this.browsers = browsers;
    this.replay = replay;
    this.refusals = refusals;
    this.clock = clock;
  }

  /** To a page of ours, at which the sign-on waits. @param page makes the page's address of the key */
  EdgeReply at(RealmRequest request, SignOn signOn, Optional<String> key, UnaryOperator<String> page) {
    if (key.isPresent()) {
      return EdgeReply.seeOther(page.apply(key.get()));
    }
    SessionToken browser = browsers.findOrCreate(request);
    return pending
        .put(request, new PendingSignOn(signOn, Optional.of(BrowserBinding.hash(browser))))
        .map(fresh -> browsers.keep(request, browser, EdgeReply.seeOther(page.apply(fresh))))
        .orElseGet(() -> tooMany(request));
  }

  /** Until the browser comes back with its cookies. */
  EdgeReply park(RealmRequest request, SignOn signOn) {
    return pending
        .put(request, new PendingSignOn(signOn, Optional.empty()))
        .map(key -> EdgeReply.seeOther(request.here("saml/sso") + "?parked=" + key))
        .orElseGet(() -> tooMany(request));
  }

  /** Makes the answer ours alone to give; the reply where somebody has given it already. */
  Optional<EdgeReply> claim(RealmRequest request, SignOn signOn, Optional<String> key) {
    Optional<EdgeReply> gone = key.flatMap(waits -> takeAway(request, waits));
    return gone.isEmpty() && isReplayed(signOn)
        ? Optional.of(
            refused(request, signOn, SamlRefusal.Reason.REPLAYED, "this AuthnRequest was answered before"))
        : gone;
  }

  EdgeReply refused(RealmRequest request, SignOn signOn, SamlRefusal.Reason reason, String detail) {
    return refusals.message(request, signOn.partner(), "AuthnRequest", new SamlRefusal(reason, detail));
  }

  EdgeReply gone(RealmRequest request, String reason) {
    return refusals.page(request, 400, "expired", reason);
  }

  private Optional<EdgeReply> takeAway(RealmRequest request, String key) {
    return switch (pending.take(key)) {
      case Take.First<PendingSignOn> first -> Optional.empty();
      case Take.Replayed<PendingSignOn> replayed -> Optional.of(gone(request, "PENDING_LOGIN_REPLAYED"));
      case Take.Absent<PendingSignOn> absent -> Optional.of(gone(request, "NO_SUCH_PENDING_LOGIN"));
    };
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

  private EdgeReply tooMany(RealmRequest request) {
    return refusals.page(request, 429, "too-many-tries", "TOO_MANY_PENDING");
  }
}
