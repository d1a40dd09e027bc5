package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.CodeExchange;
import dev.gatehouse.sp.login.LoginRequest;
import dev.gatehouse.sp.login.LoginStart;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import dev.gatehouse.sp.provider.ProviderCalls.Reply;
import dev.gatehouse.sp.provider.ProviderMetadata;
import dev.gatehouse.sp.provider.ProviderState;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Sends a person to an OpenID provider (OpenID Connect Core 3.1.2.1), always with the code flow, with PKCE by S256 (RFC
 * 7636) and a nonce. The browser carries the pending request until it is answered. If the provider requires it, we push
 * the request first (RFC 9126).
 */
public final class OpenIdLoginStart implements LoginStart {

  private final PendingRequests pendings;
  private final OpenIdProviders providers;
  private final ProviderCalls calls;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  public OpenIdLoginStart(
      PendingRequests pendings,
      OpenIdProviders providers,
      ProviderCalls calls,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.pendings = pendings;
    this.providers = providers;
    this.calls = calls;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  @Override
  public EdgeReply begin(SpRealm realm, EdgeRequest request, LoginRequest loginRequest, String issuer) {
    BrowserKey browser = BrowserKey.ofOrNew(realm, request, random);
    PendingRequest pending =
        new PendingRequest(
            realm.name(),
            pendings.newId(realm),
            issuer,
            loginRequest,
            loginRequest.requirements(realm).authnContext(),
            time.instant(),
            Optional.of(new CodeExchange(SessionToken.create(random).value(), SessionToken.create(random).value())));
    return send(
        realm,
        request,
        pending,
        location -> pendings.keep(realm, request, browser, pending, () -> EdgeReply.seeOther(location)));
  }

  /** Sends the request of a test login. The browser does not carry it as a pending request, so its answer opens no session. */
  public EdgeReply test(SpRealm realm, EdgeRequest request, PendingRequest test) {
    return send(realm, request, test, EdgeReply::seeOther);
  }

  private EdgeReply send(SpRealm realm, EdgeRequest request, PendingRequest pending, Function<String, EdgeReply> leave) {
    String issuer = pending.identityProvider();
    Optional<ProviderConfig> provider = realm.openIdProvider(issuer);
    if (provider.isEmpty()) {
      return unavailable(realm, request, issuer, "it is no OpenID provider of this realm");
    }
    return switch (location(realm, provider.get(), pending)) {
      case Result.Refused(String problem) -> unavailable(realm, request, issuer, problem);
      case Result.Accepted(String location) -> leave.apply(location);
    };
  }

  private Result<String, String> location(SpRealm realm, ProviderConfig provider, PendingRequest pending) {
    return switch (providers.state(provider.issuer())) {
      case ProviderState.Unusable(String problem) -> Result.refused(problem);
      case ProviderState.Usable(ProviderMetadata metadata, var keys, var at, var last) ->
          metadata
              .authorizationEndpoint()
              .map(endpoint -> location(realm, provider, metadata, endpoint, pending))
              .orElseGet(() -> Result.refused("it has no authorization_endpoint"));
    };
  }

  private Result<String, String> location(
      SpRealm realm, ProviderConfig provider, ProviderMetadata metadata, URI endpoint, PendingRequest pending) {
    Map<String, String> parameters = parameters(realm, provider, pending);
    Optional<URI> push = metadata.pushedRequests().filter(there -> metadata.requiresPushedRequests());
    if (push.isEmpty()) {
      return Result.accepted(Urls.with(endpoint, parameters));
    }
    return switch (calls.post(realm.realm(), provider, push.get(), parameters)) {
      case Reply.Done(Map<String, Object> json) when json.get("request_uri") instanceof String uri ->
          Result.accepted(
              Urls.with(endpoint, Map.of("client_id", provider.client().orElseThrow().clientId(), "request_uri", uri)));
      case Reply.Done done -> Result.refused("its answer to a pushed request has no request_uri");
      case Reply.Refused(int status, String error) -> Result.refused("it refused a pushed request: " + status + " " + error);
      case Reply.Unreachable(String problem) -> Result.refused(problem);
    };
  }

  static Map<String, String> parameters(SpRealm realm, ProviderConfig provider, PendingRequest pending) {
    CodeExchange exchange = pending.exchange().orElseThrow();
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response_type", "code");
    parameters.put("client_id", provider.client().orElseThrow().clientId());
    parameters.put("redirect_uri", realm.sp().openIdCallback(provider.alias()));
    parameters.put("scope", String.join(" ", provider.scopes()));
    parameters.put("state", pending.id());
    parameters.put("nonce", exchange.nonce());
    parameters.put("code_challenge", challenge(exchange.codeVerifier()));
    parameters.put("code_challenge_method", "S256");
    if (!pending.authnContext().isEmpty()) {
      parameters.put("acr_values", String.join(" ", pending.authnContext()));
    }
    if (pending.loginRequest().forceAuthn()) {
      parameters.put("prompt", "login");
      // With max_age the provider must send auth_time: the effect of prompt alone could not be checked.
      parameters.put("max_age", "0");
    } else if (pending.loginRequest().isPassive()) {
      parameters.put("prompt", "none");
    }
    return parameters;
  }

  /** The code challenge of RFC 7636, section 4.2. */
  static String challenge(String verifier) {
    return Sha256.base64Url(verifier);
  }

  private EdgeReply unavailable(SpRealm realm, EdgeRequest request, String issuer, String problem) {
    refusals.log("authorization request", issuer, problem);
    return refusals.page(realm, request, 503, "partner-unavailable");
  }
}
