package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.login.PendingRequests.Found;
import dev.gatehouse.sp.provider.OpenIdProviders;
import java.util.Optional;

/**
 * {@code GET /.gatehouse/oidc/callback} at the home origin, and {@code /.gatehouse/oidc/callback/ALIAS} for a provider with a redirect
 * URI of its own. Accepts a provider's answer (OpenID Connect Core 3.1.2.5) from the browser that began the login. Cheap checks come
 * first, then the pending login is consumed, and only then the code is redeemed, at the provider to which the request was sent and at no
 * other (RFC 9700, section 4.4).
 */
public final class CallbackEndpoint {

  public static final String PATH = SpPaths.PREFIX + "oidc/callback";

  private final PendingRequests pendings;
  private final OpenIdProviders providers;
  private final CodeRedemption redemption;
  private final OpenIdSessionOpening sessionOpening;
  private final OpenIdTestAnswers tests;
  private final OpenIdRefusals signOnRefusals;
  private final Refusals refusals;

  public CallbackEndpoint(
      PendingRequests pendings,
      OpenIdProviders providers,
      CodeRedemption redemption,
      OpenIdSessionOpening sessionOpening,
      OpenIdTestAnswers tests,
      OpenIdRefusals signOnRefusals,
      Refusals refusals) {
    this.pendings = pendings;
    this.providers = providers;
    this.redemption = redemption;
    this.sessionOpening = sessionOpening;
    this.tests = tests;
    this.signOnRefusals = signOnRefusals;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request) || !isRedirectUri(realm, request.path())) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    AuthorizationResponse response = AuthorizationResponse.of(request);
    if (response.state().isEmpty()) {
      return signOnRefusals.refuse(realm, request, "-", new OpenIdRefusal(Reason.NO_MESSAGE, "no state"));
    }
    String state = response.state().get();
    if (state.startsWith(OpenIdTestAnswers.STATE_PREFIX)) {
      return tests
          .answer(realm, request, state)
          .orElseGet(() -> signOnRefusals.refuse(realm, request, "-", nothingWaits()));
    }
    return switch (pendings.find(realm, request, state)) {
      case Found.Waiting(PendingRequest pending) when pending.exchange().isPresent() ->
          realm
              .openIdProvider(pending.identityProvider())
              .map(config -> answered(realm, request, response, pending, config))
              .orElseGet(() -> signOnRefusals.refuse(realm, request, pending.identityProvider(), gone()));
      case Found.Answered answered ->
          signOnRefusals.refuse(
              realm, request, "-", new OpenIdRefusal(Reason.REPLAYED, "the request was answered before"));
      case Found.OtherBrowser other ->
          signOnRefusals.refuse(
              realm,
              request,
              "-",
              new OpenIdRefusal(
                  Reason.OTHER_BROWSER,
                  "not the browser that began, or without its cookies, or it has begun others since"));
      case Found.Lost lost -> signOnRefusals.lost(realm, request);
      case Found.Waiting ofSaml -> signOnRefusals.refuse(realm, request, "-", nothingWaits());
      case Found.Unknown unknown -> signOnRefusals.refuse(realm, request, "-", nothingWaits());
    };
  }

  private static boolean isRedirectUri(SpRealm realm, String path) {
    return path.equals(PATH)
        || realm.realm().parties().providers().stream().anyMatch(provider -> path.equals(SpConfig.openIdCallbackPath(provider.alias())));
  }

  private static OpenIdRefusal gone() {
    return new OpenIdRefusal(Reason.PROVIDER_UNKNOWN, "it is no OpenID provider of this realm any more");
  }

  private static OpenIdRefusal nothingWaits() {
    return new OpenIdRefusal(Reason.STATE, "no login waits for that state");
  }

  private EdgeReply answered(
      SpRealm realm,
      EdgeRequest request,
      AuthorizationResponse response,
      PendingRequest pending,
      ProviderConfig provider) {
    Optional<OpenIdRefusal> refusal =
        response
            .otherRedirectUri(provider)
            .or(() -> response.otherIssuer(providers.state(provider.issuer()), provider.issuer()));
    if (refusal.isPresent()) {
      return signOnRefusals.refuse(realm, request, provider.issuer(), refusal.get());
    }
    if (response.error().isPresent()) {
      return signOnRefusals.error(realm, request, pending, response.error().get());
    }
    if (response.code().isEmpty()) {
      return signOnRefusals.refuse(
          realm, request, provider.issuer(), new OpenIdRefusal(Reason.NO_MESSAGE, "neither code nor error"));
    }
    if (!pendings.answer(pending)) {
      return signOnRefusals.refuse(
          realm, request, provider.issuer(), new OpenIdRefusal(Reason.REPLAYED, "the request was answered before"));
    }
    EdgeReply reply = redeem(realm, request, response.code().get(), pending, provider);
    return pendings.forgottenBy(reply, realm, request, pending.id());
  }

  private EdgeReply redeem(
      SpRealm realm, EdgeRequest request, String code, PendingRequest pending, ProviderConfig provider) {
    return switch (redemption.redeem(realm, provider, pending, code)) {
      case Result.Refused(OpenIdRefusal refusal) ->
          signOnRefusals.afterwards(realm, request, pending, refusal);
      case Result.Accepted(OpenIdLogin login) ->
          sessionOpening.enter(realm, request, login, provider, pending);
    };
  }
}
