package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.MessageFreshnessCheck;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Lets sign-ons wait for a person, and ensures that each is answered once: an AuthnRequest by its ID (so a repeated
 * request is covered too), any other by its key. The mark is written before anything is issued; a sign-on that is never
 * answered leaves no data behind.
 */
final class SamlPendingLogin {

  /**
   * Covers the time in which a request may still be accepted: from its oldest accepted IssueInstant to the end of its
   * time on the login page.
   */
  private static final Duration REPLAY_MARK =
      MessageFreshnessCheck.OLDEST.plus(PendingRequests.MARK_LIFE).plus(Duration.ofMinutes(5));

  private final PendingRequests<SignOn> pendingRequests;
  private final SamlPendingSignOns signOns;
  private final LoginEndpoint login;
  private final ReplayCache replay;
  private final Refusals refusals;
  private final InstantSource clock;

  SamlPendingLogin(
      PendingRequests<SignOn> pendingRequests,
      SamlPendingSignOns signOns,
      LoginEndpoint login,
      ReplayCache replay,
      Refusals refusals,
      InstantSource clock) {
    this.pendingRequests = pendingRequests;
    this.signOns = signOns;
    this.login = login;
    this.replay = replay;
    this.refusals = refusals;
    this.clock = clock;
  }

  /**
   * Shows the login form. It is the response to a request that may be repeated, because people reload the page; after any
   * other request (a POST, an artifact) the form has an address of its own.
   */
  EdgeReply login(RealmRequest request, SignOn signOn, SsoPartner partner, Optional<String> key) {
    return key.isEmpty() && isRepeatable(request)
        ? pendingRequests.show(
            request,
            signOn,
            (browser, waits) ->
                login.begin(request, signOns.pending(request, waits, signOn, partner, BrowserBinding.hash(browser)), browser))
        : at(request, signOn, key, waits -> LoginEndpoint.address(request, Optional.of(waits)));
  }

  private static boolean isRepeatable(RealmRequest request) {
    Parameters query = request.http().queryParameters();
    return request.http().isGet() && query.one("SAMLart").isEmpty() && query.one("resume").isEmpty();
  }

  /** As {@link PendingRequests#at}. */
  EdgeReply at(RealmRequest request, SignOn signOn, Optional<String> key, UnaryOperator<String> page) {
    return pendingRequests.at(request, signOn, key, page);
  }

  /** Saves the sign-on until the browser returns with its cookies. */
  EdgeReply saveAndRedirect(RealmRequest request, SignOn signOn) {
    return pendingRequests.saveAndRedirect(request, signOn, key -> request.here("saml/sso") + "?resume=" + key);
  }

  /**
   * Claims the right to answer.
   *
   * @return the error reply if the sign-on was answered before
   */
  Optional<EdgeReply> claim(RealmRequest request, SignOn signOn, Optional<String> key) {
    if (signOn.delivery().requestId().isEmpty()) {
      return key.flatMap(waits -> pendingRequests.claim(request, waits));
    }
    ReplayKey mark = new ReplayKey(signOn.realm(), signOn.partner(), signOn.delivery().requestId().get());
    return replay.firstSeen(mark, clock.instant().plus(REPLAY_MARK))
        ? Optional.empty()
        : Optional.of(
            refused(request, signOn, SamlRefusal.Reason.REPLAYED, "this AuthnRequest was answered before"));
  }

  /** Removes the pending sign-on from the browser together with the reply that answers it. */
  EdgeReply answered(RealmRequest request, Optional<String> key, EdgeReply reply) {
    return pendingRequests.forgottenBy(reply, request, key);
  }

  EdgeReply refused(RealmRequest request, SignOn signOn, SamlRefusal.Reason reason, String detail) {
    return refusals.message(request, signOn.partner(), "AuthnRequest", new SamlRefusal(reason, detail));
  }
}
