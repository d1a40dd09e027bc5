package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.AccessTokenHash;
import dev.gatehouse.sp.idtoken.ClaimValues;
import dev.gatehouse.sp.idtoken.IdTokenValidator;
import dev.gatehouse.sp.idtoken.InspectedIdToken;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.login.CodeExchange;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.oidc.InspectedLogin.Trail;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderMetadata;
import dev.gatehouse.sp.provider.ProviderState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Follows the answer to a test login through the steps of a login, by the same classes, and shows the result of each. The code is
 * redeemed, and nothing else is changed. Blocks.
 */
public final class LoginInspection {

  private static final String REDACTED = "***";

  /** The members of a token response that are shown (RFC 6749, section 5.1). */
  private static final Set<String> OPEN = Set.of("token_type", "expires_in", "scope");

  private final OpenIdProviders providers;
  private final CodeRedemption redemption;
  private final IdTokenValidator validator;

  LoginInspection(OpenIdProviders providers, CodeRedemption redemption, IdTokenValidator validator) {
    this.providers = providers;
    this.redemption = redemption;
    this.validator = validator;
  }

  /** @param test the request that was sent */
  public InspectedLogin inspect(SpRealm realm, ProviderConfig provider, PendingRequest test, EdgeRequest request, Instant now) {
    AuthorizationResponse response = AuthorizationResponse.of(request);
    Trail trail = new Trail();
    ProviderState state = providers.state(provider.issuer());
    if (state instanceof ProviderState.Usable known) {
      trail.step("discovery", shown(known));
    }
    trail.step("authorization-request", OpenIdLoginStart.parameters(realm, provider, test));
    trail.step("authorization-response", shown(response));
    trail.result("discovery", discovery(state));
    trail.result("redirect-uri", response.otherRedirectUri(provider));
    trail.result("response-issuer", response.otherIssuer(state, provider.issuer()));
    trail.result("authorization-response", problem(response));
    if (!trail.isPassed() || !(state instanceof ProviderState.Usable known)) {
      return trail.end(Optional.empty());
    }
    return tokens(realm, provider, test, known.metadata(), response.code().orElseThrow(), trail, now);
  }

  /** Inspects a recorded answer with the present configuration and keys, as of the time at which it came. */
  public InspectedLogin replay(SpRealm realm, ProviderConfig provider, PendingRequest test, OpenIdAnswer answer, Instant at) {
    Trail trail = new Trail();
    Optional<AccessTokenHash> hash = answer.accessTokenHash().map(AccessTokenHash::recorded);
    InspectedIdToken inspected = idToken(provider, test, answer.idToken(), hash, trail, at);
    return person(realm, provider, inspected, answer.userInfo().filter(json -> provider.userInfo()), trail);
  }

  private InspectedLogin tokens(
      SpRealm realm, ProviderConfig provider, PendingRequest test, ProviderMetadata metadata, String code, Trail trail, Instant now) {
    Map<String, Object> json = tokenResponse(realm, provider, test, metadata, code, trail);
    Optional<String> idToken = CodeRedemption.idToken(json);
    if (idToken.isEmpty()) {
      return trail.end(Optional.empty());
    }
    Optional<String> accessToken = CodeRedemption.accessToken(json);
    InspectedIdToken inspected = idToken(provider, test, idToken.get(), accessToken.map(AccessTokenHash::of), trail, now);
    Optional<Map<String, Object>> userInfo =
        provider.userInfo() && trail.isPassed() ? userInfo(metadata, accessToken, trail) : Optional.empty();
    Optional<String> hash = inspected.token().flatMap(token -> accessToken.map(AccessTokenHash::of).map(by -> by.by(token.algorithm())));
    String nonce = test.exchange().map(CodeExchange::nonce).orElseThrow();
    trail.answer(new OpenIdAnswer(idToken.get(), nonce, hash, userInfo));
    return person(realm, provider, inspected, userInfo, trail);
  }

  /** Returns the token response; an empty one if it was refused. */
  private Map<String, Object> tokenResponse(
      SpRealm realm, ProviderConfig provider, PendingRequest test, ProviderMetadata metadata, String code, Trail trail) {
    Result<Map<String, Object>, OpenIdRefusal> reply =
        metadata
            .tokenEndpoint()
            .map(endpoint -> redemption.call(realm, provider, endpoint, test, code))
            .orElseGet(() -> OpenIdRefusal.refused(Reason.PROVIDER_UNAVAILABLE, "it has no token_endpoint"));
    return switch (reply) {
      case Result.Refused(OpenIdRefusal refusal) -> {
        trail.result("token-response", Optional.of(refusal));
        yield Map.of();
      }
      case Result.Accepted(Map<String, Object> json) -> {
        Map<String, Object> shown = new LinkedHashMap<>();
        json.forEach((name, value) -> shown.put(name, OPEN.contains(name) ? value : REDACTED));
        trail.step("token-response", shown);
        boolean hasIdToken = CodeRedemption.idToken(json).isPresent();
        trail.result(
            "token-response", hasIdToken ? Optional.empty() : Optional.of(new OpenIdRefusal(Reason.TOKEN_MISSING, "no id_token")));
        yield json;
      }
    };
  }

  private InspectedIdToken idToken(
      ProviderConfig provider, PendingRequest test, String idToken, Optional<AccessTokenHash> hash, Trail trail, Instant at) {
    InspectedIdToken inspected = validator.inspect(idToken, CodeRedemption.expected(provider, test, hash, at));
    inspected.results().forEach(result -> trail.result(result.name(), result.refusal()));
    inspected
        .token()
        .ifPresent(
            token -> {
              trail.step("id-token-header", header(token));
              trail.step("id-token-claims", token.claims().all());
            });
    return inspected;
  }

  private static Map<String, String> header(ReceivedJwt token) {
    Map<String, String> header = new LinkedHashMap<>();
    header.put("alg", token.algorithm().value());
    token.type().ifPresent(type -> header.put("typ", type));
    token.keyId().ifPresent(keyId -> header.put("kid", keyId));
    return header;
  }

  private Optional<Map<String, Object>> userInfo(ProviderMetadata metadata, Optional<String> accessToken, Trail trail) {
    return switch (redemption.userInfo(metadata, accessToken)) {
      case Result.Accepted(Map<String, Object> json) -> Optional.of(json);
      case Result.Refused(OpenIdRefusal refusal) -> {
        trail.result("user-info", Optional.of(refusal));
        yield Optional.empty();
      }
    };
  }

  private static InspectedLogin person(
      SpRealm realm, ProviderConfig provider, InspectedIdToken inspected, Optional<Map<String, Object>> userInfo, Trail trail) {
    if (inspected.token().isEmpty()) {
      return trail.end(Optional.empty());
    }
    ReceivedJwt token = inspected.token().get();
    String subject = token.claims().subject().orElse("");
    ClaimValues claims = ClaimValues.of(token.claims().all());
    if (userInfo.isPresent()) {
      trail.step("user-info", userInfo.get());
      Result<ClaimValues, OpenIdRefusal> merged = CodeRedemption.merged(provider, subject, claims, userInfo.get());
      trail.result("user-info", merged instanceof Result.Refused<ClaimValues, OpenIdRefusal>(var no) ? Optional.of(no) : Optional.empty());
      claims = merged instanceof Result.Accepted<ClaimValues, OpenIdRefusal>(ClaimValues all) ? all : claims;
    }
    ProviderTrust trust = ProviderTrust.ofProvider(realm.realm(), provider);
    trail.claims(claims.verdicts(trust, provider.claims()));
    return trail.end(
        trail.isPassed() ? Optional.of(OpenIdSessionOpening.account(provider, trust, subject, claims)) : Optional.empty());
  }

  private static Optional<OpenIdRefusal> discovery(ProviderState state) {
    return switch (state) {
      case ProviderState.Unusable(String problem) -> Optional.of(new OpenIdRefusal(Reason.PROVIDER_UNAVAILABLE, problem));
      case ProviderState.Usable usable -> Optional.empty();
    };
  }

  private static Optional<OpenIdRefusal> problem(AuthorizationResponse response) {
    if (response.error().isPresent()) {
      return Optional.of(new OpenIdRefusal(Reason.PROVIDER_ERROR, response.error().get()));
    }
    return response.code().isPresent()
        ? Optional.empty()
        : Optional.of(new OpenIdRefusal(Reason.NO_MESSAGE, "neither code nor error"));
  }

  private static Map<String, String> shown(AuthorizationResponse response) {
    Map<String, String> shown = new LinkedHashMap<>();
    response.issuer().ifPresent(issuer -> shown.put("iss", issuer));
    response.error().ifPresent(error -> shown.put("error", error));
    response.code().ifPresent(code -> shown.put("code", REDACTED));
    return shown;
  }

  private static Map<String, String> shown(ProviderState.Usable known) {
    Map<String, String> shown = new LinkedHashMap<>();
    ProviderMetadata metadata = known.metadata();
    shown.put("issuer", metadata.issuer());
    metadata.authorizationEndpoint().ifPresent(url -> shown.put("authorization_endpoint", url.toString()));
    metadata.tokenEndpoint().ifPresent(url -> shown.put("token_endpoint", url.toString()));
    metadata.userInfoEndpoint().ifPresent(url -> shown.put("userinfo_endpoint", url.toString()));
    shown.put("jwks_uri", metadata.jwksUri().toString());
    known.lastProblem().ifPresent(problem -> shown.put("last fetch", problem));
    return shown;
  }
}
