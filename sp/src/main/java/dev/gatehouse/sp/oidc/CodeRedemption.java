package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.AccessTokenHash;
import dev.gatehouse.sp.idtoken.ClaimValues;
import dev.gatehouse.sp.idtoken.IdTokenValidator;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.idtoken.TokenExpectation;
import dev.gatehouse.sp.idtoken.UserName;
import dev.gatehouse.sp.idtoken.VerifiedIdToken;
import dev.gatehouse.sp.login.CodeExchange;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import dev.gatehouse.sp.provider.ProviderCalls.Reply;
import dev.gatehouse.sp.provider.ProviderMetadata;
import dev.gatehouse.sp.provider.ProviderState;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Redeems a code at the token endpoint (OpenID Connect Core 3.1.3), verifies the ID token, and calls UserInfo if
 * configured (5.3). Blocks.
 */
public final class CodeRedemption {

  private final OpenIdProviders providers;
  private final ProviderCalls calls;
  private final IdTokenValidator validator;
  private final InstantSource time;

  public CodeRedemption(
      OpenIdProviders providers, ProviderCalls calls, IdTokenValidator validator, InstantSource time) {
    this.providers = providers;
    this.calls = calls;
    this.validator = validator;
    this.time = time;
  }

  Result<OpenIdLogin, OpenIdRefusal> redeem(SpRealm realm, ProviderConfig provider, PendingRequest pending, String code) {
    return switch (providers.state(provider.issuer())) {
      case ProviderState.Unusable(String problem) -> OpenIdRefusal.refused(Reason.PROVIDER_UNAVAILABLE, problem);
      case ProviderState.Usable(ProviderMetadata metadata, var keys, var at, var last) ->
          metadata
              .tokenEndpoint()
              .map(endpoint -> redeem(realm, provider, metadata, endpoint, pending, code))
              .orElseGet(() -> OpenIdRefusal.refused(Reason.PROVIDER_UNAVAILABLE, "it has no token_endpoint"));
    };
  }

  private Result<OpenIdLogin, OpenIdRefusal> redeem(
      SpRealm realm,
      ProviderConfig provider,
      ProviderMetadata metadata,
      URI endpoint,
      PendingRequest pending,
      String code) {
    return switch (call(realm, provider, endpoint, pending, code)) {
      case Result.Refused(OpenIdRefusal refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(Map<String, Object> json) -> verify(realm, provider, metadata, pending, json);
    };
  }

  /** Calls the token endpoint. */
  Result<Map<String, Object>, OpenIdRefusal> call(
      SpRealm realm, ProviderConfig provider, URI endpoint, PendingRequest pending, String code) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", realm.sp().openIdCallback(provider.alias()));
    form.put("code_verifier", pending.exchange().map(CodeExchange::codeVerifier).orElseThrow());
    return switch (calls.post(realm.realm(), provider, endpoint, form)) {
      case Reply.Unreachable(String problem) -> OpenIdRefusal.refused(Reason.PROVIDER_UNAVAILABLE, problem);
      case Reply.Refused(int status, String error) ->
          OpenIdRefusal.refused(Reason.CODE_REFUSED, "token endpoint: " + status + " " + error);
      case Reply.Done(Map<String, Object> json) -> Result.accepted(json);
    };
  }

  private Result<OpenIdLogin, OpenIdRefusal> verify(
      SpRealm realm,
      ProviderConfig provider,
      ProviderMetadata metadata,
      PendingRequest pending,
      Map<String, Object> json) {
    Optional<String> idToken = idToken(json);
    if (idToken.isEmpty()) {
      return OpenIdRefusal.refused(Reason.TOKEN_MISSING, "no id_token");
    }
    Optional<String> accessToken = accessToken(json);
    TokenExpectation expected = expected(provider, pending, accessToken.map(AccessTokenHash::of), time.instant());
    return switch (validator.validate(idToken.get(), expected)) {
      case Result.Refused(OpenIdRefusal refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(VerifiedIdToken token) when isUnlisted(realm, provider, pending, token) ->
          OpenIdRefusal.refused(Reason.ACR, "acr was asked for, and accept does not list it for this provider");
      case Result.Accepted(VerifiedIdToken token) ->
          provider.userInfo()
              ? withUserInfo(provider, metadata, token, accessToken)
              : new Result.Accepted<>(new OpenIdLogin(token, token.claims()));
    };
  }

  static Optional<String> idToken(Map<String, Object> json) {
    return json.get("id_token") instanceof String idToken ? Optional.of(idToken) : Optional.empty();
  }

  /** Returns the access token if it is a bearer token. */
  static Optional<String> accessToken(Map<String, Object> json) {
    return json.get("access_token") instanceof String text && isBearer(json) ? Optional.of(text) : Optional.empty();
  }

  static TokenExpectation expected(
      ProviderConfig provider, PendingRequest pending, Optional<AccessTokenHash> accessToken, Instant now) {
    return new TokenExpectation(
        provider.issuer(),
        provider.client().orElseThrow().clientId(),
        pending.exchange().map(CodeExchange::nonce).orElseThrow(),
        accessToken,
        pending.authnContext(),
        pending.loginRequest().forceAuthn() ? Optional.of(pending.createdAt()) : Optional.empty(),
        provider.claims().user(),
        now);
  }

  /** If a required login class did not count, the person would be sent back to log in again and again. */
  private static boolean isUnlisted(
      SpRealm realm, ProviderConfig provider, PendingRequest pending, VerifiedIdToken token) {
    return !pending.authnContext().isEmpty()
        && ProviderTrust.ofProvider(realm.realm(), provider).authnContext(token.authentication().acr()).isEmpty();
  }

  private static boolean isBearer(Map<String, Object> json) {
    return json.get("token_type") instanceof String type && type.equalsIgnoreCase("Bearer");
  }

  private Result<OpenIdLogin, OpenIdRefusal> withUserInfo(
      ProviderConfig provider, ProviderMetadata metadata, VerifiedIdToken token, Optional<String> accessToken) {
    return userInfo(metadata, accessToken)
        .then(json -> merged(provider, token.subject(), token.claims(), json))
        .then(claims -> Result.accepted(new OpenIdLogin(token, claims)));
  }

  /** Calls the UserInfo endpoint. */
  Result<Map<String, Object>, OpenIdRefusal> userInfo(ProviderMetadata metadata, Optional<String> accessToken) {
    if (metadata.userInfoEndpoint().isEmpty() || accessToken.isEmpty()) {
      return OpenIdRefusal.refused(Reason.USER_INFO, "no userinfo_endpoint, or no access token for it");
    }
    return switch (calls.postWithToken(metadata.userInfoEndpoint().get(), accessToken.get())) {
      case Reply.Unreachable(String problem) -> OpenIdRefusal.refused(Reason.PROVIDER_UNAVAILABLE, "UserInfo: " + problem);
      case Reply.Refused(int status, String error) -> OpenIdRefusal.refused(Reason.USER_INFO, status + " " + error);
      case Reply.Done(Map<String, Object> json) -> Result.accepted(json);
    };
  }

  /**
   * Adds the claims of UserInfo. The {@code sub} must be that of the ID token (5.3.2). If both contain a claim, the signed one counts.
   */
  static Result<ClaimValues, OpenIdRefusal> merged(
      ProviderConfig provider, String subject, ClaimValues signed, Map<String, Object> userInfo) {
    if (!subject.equals(userInfo.get("sub"))) {
      return OpenIdRefusal.refused(Reason.USER_INFO, "sub is not the ID token's");
    }
    ClaimValues claims = signed.and(ClaimValues.of(userInfo));
    return UserName.refusal(claims, provider.claims().user())
        .<Result<ClaimValues, OpenIdRefusal>>map(Result.Refused::new)
        .orElseGet(() -> new Result.Accepted<>(claims));
  }
}
