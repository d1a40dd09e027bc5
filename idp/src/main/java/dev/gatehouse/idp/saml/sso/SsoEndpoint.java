package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.idp.authn.CrossSitePost;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.util.Optional;

/**
 * SingleSignOnService (SAML Profiles 4.1.3.3): AuthnRequests by Redirect, POST or Artifact. A saved request
 * ({@code resume}) and one that waited for a person ({@code pending}) also return to this address.
 */
final class SsoEndpoint implements Endpoint {

  private final AuthnRequests requests;
  private final ArtifactRequests artifacts;
  private final PendingRequests<SignOn> pendingRequests;
  private final SsoPartners partners;
  private final SignOnAnswer answer;
  private final SamlPendingLogin waiting;
  private final CrossSitePost crossSite;
  private final Refusals refusals;

  SsoEndpoint(
      AuthnRequests requests,
      ArtifactRequests artifacts,
      PendingRequests<SignOn> pendingRequests,
      SsoPartners partners,
      SignOnAnswer answer,
      SamlPendingLogin waiting,
      CrossSitePost crossSite,
      Refusals refusals) {
    this.requests = requests;
    this.artifacts = artifacts;
    this.pendingRequests = pendingRequests;
    this.partners = partners;
    this.answer = answer;
    this.waiting = waiting;
    this.crossSite = crossSite;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (request.http().isGet()) {
      Parameters query = request.http().queryParameters();
      Optional<String> waits = query.one("pending");
      if (waits.isPresent()) {
        return resume(request, waits.get());
      }
      Optional<String> resume = query.one("resume");
      if (resume.isPresent()) {
        return pendingRequests.resume(request, resume.get(), found -> go(request, found.asked(), Optional.empty()));
      }
    }
    if (SamlReader.isArtifact(request.http())) {
      return take(request, artifacts.read(request));
    }
    if (SamlReader.kind(request.http()).filter(kind -> kind == SamlReader.Kind.REQUEST).isEmpty()) {
      return refusals.message(
          request, "-", "AuthnRequest", new SamlRefusal(SamlRefusal.Reason.NO_MESSAGE, "no SAMLRequest"));
    }
    return take(request, requests.read(request));
  }

  private EdgeReply take(RealmRequest request, AuthnRequests.Outcome outcome) {
    return switch (outcome) {
      case AuthnRequests.Outcome.Refused(var partner, var refusal) ->
          refusals.message(request, partner, "AuthnRequest", refusal);
      case AuthnRequests.Outcome.Answered(var signOn, var partner, var status) ->
          answer.status(request, signOn, partner, Optional.empty(), status);
      case AuthnRequests.Outcome.Accepted(var signOn, var partner) ->
          crossSite.comesWithoutCookies(request)
              ? waiting.saveAndRedirect(request, signOn)
              : answer.answer(request, signOn, partner, Optional.empty());
    };
  }

  private EdgeReply resume(RealmRequest request, String key) {
    return pendingRequests.own(request, key)
        .map(signOn -> go(request, signOn, Optional.of(key)))
        .orElseGet(() -> pendingRequests.gone(request, "NO_SUCH_PENDING_LOGIN"));
  }

  private EdgeReply go(RealmRequest request, SignOn signOn, Optional<String> key) {
    return switch (partners.find(signOn.realm(), signOn.partner())) {
      case Result.Refused(var refusal) ->
          refusals.message(request, signOn.partner(), "AuthnRequest", refusal);
      case Result.Accepted(var partner) -> answer.answer(request, signOn, partner, key);
    };
  }
}
