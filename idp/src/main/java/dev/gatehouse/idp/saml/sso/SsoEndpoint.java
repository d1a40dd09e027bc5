package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.idp.authn.AuthnDecision;
import dev.gatehouse.idp.authn.AuthnDecisions;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.IdpSession;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.WaitingSignOn;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.util.Optional;

/**
 * SingleSignOnService (SAML Profiles 4.1.3.3): an AuthnRequest by Redirect or POST. Also the address that a parked request
 * ({@code parked}) and a finished login ({@code pending}) come back to.
 */
final class SsoEndpoint implements Endpoint {

  private final AuthnRequests requests;
  private final PendingSignOns pending;
  private final SignOnAnswer answer;
  private final IdpSessions sessions;
  private final BrowserBinding browsers;
  private final Refusals refusals;

  SsoEndpoint(
      AuthnRequests requests,
      PendingSignOns pending,
      SignOnAnswer answer,
      IdpSessions sessions,
      BrowserBinding browsers,
      Refusals refusals) {
    this.requests = requests;
    this.pending = pending;
    this.answer = answer;
    this.sessions = sessions;
    this.browsers = browsers;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Parameters query = request.http().queryParameters();
    if (request.http().isGet()) {
      Optional<String> waiting = query.one("pending");
      if (waiting.isPresent()) {
        return resume(request, waiting.get());
      }
      Optional<String> parked = query.one("parked");
      if (parked.isPresent()) {
        return unpark(request, parked.get());
      }
    }
    if (SamlReader.kind(request.http()).filter(kind -> kind == SamlReader.Kind.REQUEST).isEmpty()) {
      return refusals.message(
          request, "-", "AuthnRequest", new SamlRefusal(SamlRefusal.Reason.NO_MESSAGE, "no SAMLRequest"));
    }
    return switch (requests.read(request)) {
      case AuthnRequests.Outcome.Refused(var partner, var refusal) ->
          refusals.message(request, partner, "AuthnRequest", refusal);
      case AuthnRequests.Outcome.Answered(var signOn, var status) -> answer.status(request, signOn, status);
      case AuthnRequests.Outcome.Accepted(var signOn) ->
          comesWithoutCookies(request) ? park(request, signOn) : answer.begin(request, signOn);
    };
  }

  /**
   * A POST from another site comes without our SameSite=Lax cookies: whether there is a session can only be told after one
   * step to a GET.
   */
  private boolean comesWithoutCookies(RealmRequest request) {
    return !request.http().isGet() && sessions.token(request).isEmpty() && browsers.find(request).isEmpty();
  }

  private EdgeReply park(RealmRequest request, SignOn signOn) {
    return pending
        .put(request, new PendingSignOn(signOn, Optional.empty()))
        .map(key -> EdgeReply.seeOther(request.here("saml/sso") + "?parked=" + key))
        .orElseGet(() -> refusals.page(request, 429, "too-many-tries", "TOO_MANY_PENDING"));
  }

  private EdgeReply unpark(RealmRequest request, String key) {
    if (pending.peek(request, key).filter(parked -> parked.browser().isEmpty()).isEmpty()) {
      return gone(request, "NO_SUCH_PARKED_REQUEST");
    }
    return switch (pending.take(key)) {
      case Take.First<PendingSignOn>(var parked) -> answer.begin(request, parked.signOn());
      case Take.Replayed<PendingSignOn> replayed -> gone(request, "PARKED_REQUEST_REPLAYED");
      case Take.Absent<PendingSignOn> absent -> gone(request, "NO_SUCH_PARKED_REQUEST");
    };
  }

  private EdgeReply resume(RealmRequest request, String key) {
    Optional<WaitingSignOn> waiting =
        pending.find(request, key).filter(w -> browsers.matches(request, w.browser()));
    if (waiting.isEmpty()) {
      return gone(request, "NO_SUCH_PENDING_LOGIN");
    }
    Optional<IdpSession> session = sessions.current(request);
    return switch (AuthnDecisions.of(request, waiting.get().wanted(), session)) {
      case AuthnDecision.StepUp stepUp -> EdgeReply.seeOther(LoginEndpoint.address(request, Optional.of(key)));
      case AuthnDecision.Login login -> EdgeReply.seeOther(LoginEndpoint.address(request, Optional.of(key)));
      case AuthnDecision.Never never -> finish(request, key, Optional.empty());
      case AuthnDecision.Satisfied satisfied -> finish(request, key, session);
    };
  }

  private EdgeReply finish(RealmRequest request, String key, Optional<IdpSession> session) {
    return switch (pending.take(key)) {
      case Take.First<PendingSignOn>(var taken) -> answer.finish(request, taken.signOn(), session);
      case Take.Replayed<PendingSignOn> replayed -> gone(request, "PENDING_LOGIN_REPLAYED");
      case Take.Absent<PendingSignOn> absent -> gone(request, "NO_SUCH_PENDING_LOGIN");
    };
  }

  private EdgeReply gone(RealmRequest request, String reason) {
    return refusals.page(request, 400, "expired", reason);
  }
}
