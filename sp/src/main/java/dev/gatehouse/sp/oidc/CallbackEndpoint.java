package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Digests;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.idtoken.Verified;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderState;
import java.util.Optional;

/**
 * {@code GET /.gatehouse/oidc/callback} at home: takes a provider's answer (OpenID Connect Core 3.1.2.5) from the browser that
 * began. What is cheap is looked at first; then the pending login is consumed, and only then the code is redeemed, at the provider
 * that was asked and at no other (RFC 9700, section 4.4).
 */
public final class CallbackEndpoint {

  public static final String PATH = ServiceProvider.PREFIX + "oidc/callback";

  private final PendingRequests pendings;
  private final OpenIdProviders providers;
  private final CodeRedemption redemption;
  private final OpenIdEntrance entrance;
  private final OpenIdRefusals signOnRefusals;
  private final Refusals refusals;

  public CallbackEndpoint(
      PendingRequests pendings,
      OpenIdProviders providers,
      CodeRedemption redemption,
      OpenIdEntrance entrance,
      OpenIdRefusals signOnRefusals,
      Refusals refusals) {
    this.pendings = pendings;
    this.providers = providers;
    this.redemption = redemption;
    this.entrance = entrance;
    this.signOnRefusals = signOnRefusals;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    AuthorizationResponse response = AuthorizationResponse.of(request.queryParameters());
    if (response.state().isEmpty()) {
      return signOnRefusals.refuse(realm, request, "-", new OpenIdRefusal(Reason.NO_MESSAGE, "no state"));
    }
    Optional<PendingRequest> pending = pending(realm, response.state().get());
    if (pending.isEmpty()) {
      return signOnRefusals.refuse(realm, request, "-", nothingWaits(response.state().get()));
    }
    Optional<ProviderConfig> provider = realm.openIdProvider(pending.get().identityProvider());
    return provider
        .map(config -> answered(realm, request, response, pending.get(), config))
        .orElseGet(
            () ->
                signOnRefusals.refuse(
                    realm,
                    request,
                    pending.get().identityProvider(),
                    new OpenIdRefusal(Reason.PROVIDER_UNKNOWN, "it is no OpenID provider of this realm any more")));
  }

  private Optional<PendingRequest> pending(SpRealm realm, String state) {
    return pendings
        .peek(state)
        .filter(found -> found.realm().equals(realm.name()))
        .filter(found -> found.exchange().isPresent());
  }

  /** Tells an answer that comes again from one that nobody asked for; what still waits is not touched. */
  private OpenIdRefusal nothingWaits(String state) {
    boolean answered = pendings.peek(state).isEmpty() && pendings.take(state) instanceof Take.Replayed<PendingRequest>;
    return answered
        ? new OpenIdRefusal(Reason.REPLAYED, "the request was answered before")
        : new OpenIdRefusal(Reason.STATE, "no login waits for that state");
  }

  private EdgeReply answered(
      SpRealm realm,
      EdgeRequest request,
      AuthorizationResponse response,
      PendingRequest pending,
      ProviderConfig provider) {
    Optional<OpenIdRefusal> refusal =
        otherBrowser(realm, request, pending).or(() -> otherIssuer(response, provider.issuer()));
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
    return switch (pendings.take(pending.id())) {
      case Take.First<PendingRequest> first -> redeem(realm, request, response.code().get(), pending, provider);
      case Take.Replayed<PendingRequest> replayed ->
          signOnRefusals.refuse(
              realm, request, provider.issuer(), new OpenIdRefusal(Reason.REPLAYED, "the request was answered before"));
      case Take.Absent<PendingRequest> absent ->
          signOnRefusals.refuse(
              realm, request, provider.issuer(), new OpenIdRefusal(Reason.STATE, "the request is not pending any more"));
    };
  }

  private static Optional<OpenIdRefusal> otherBrowser(SpRealm realm, EdgeRequest request, PendingRequest pending) {
    boolean same =
        BrowserKey.of(realm, request).filter(own -> Digests.equal(own.hash(), pending.browser())).isPresent();
    return same
        ? Optional.empty()
        : Optional.of(new OpenIdRefusal(Reason.OTHER_BROWSER, "not the browser that began, or without its cookie"));
  }

  /** A response that names its issuer names the one that was asked, and must where its metadata says so (RFC 9207, section 2.4). */
  private Optional<OpenIdRefusal> otherIssuer(AuthorizationResponse response, String issuer) {
    boolean owed =
        providers.state(issuer) instanceof ProviderState.Usable known && known.metadata().namesItself();
    boolean right = response.issuer().map(issuer::equals).orElse(!owed);
    return right
        ? Optional.empty()
        : Optional.of(new OpenIdRefusal(Reason.RESPONSE_ISSUER, "iss is missing or names another provider"));
  }

  private EdgeReply redeem(
      SpRealm realm, EdgeRequest request, String code, PendingRequest pending, ProviderConfig provider) {
    return switch (redemption.redeem(realm, provider, pending, code)) {
      case Verified.Refused<OpenIdLogin>(OpenIdRefusal refusal) ->
          signOnRefusals.afterwards(realm, request, pending, refusal);
      case Verified.Accepted<OpenIdLogin>(OpenIdLogin login) ->
          entrance.enter(realm, request, login, provider, pending);
    };
  }
}
