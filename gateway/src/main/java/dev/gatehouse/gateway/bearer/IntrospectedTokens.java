package dev.gatehouse.gateway.bearer;

import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.bearer.TokenRefusal.Reason;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import dev.gatehouse.sp.provider.ProviderCalls.Reply;
import dev.gatehouse.sp.provider.ProviderState;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Verifies access tokens by introspection at the issuer (RFC 7662). Blocks. */
final class IntrospectedTokens {

  private static final long LAST_SECOND = 253_402_300_799L;

  private final OpenIdProviders providers;
  private final ProviderCalls calls;
  private final InstantSource time;

  IntrospectedTokens(OpenIdProviders providers, ProviderCalls calls, InstantSource time) {
    this.providers = providers;
    this.calls = calls;
    this.time = time;
  }

  TokenLookup verify(Realm realm, BearerConfig config, String text) {
    Optional<ProviderConfig> provider =
        realm.provider(config.issuers().getFirst()).filter(known -> known.client().isPresent());
    Optional<URI> endpoint = provider.flatMap(known -> endpoint(known.issuer()));
    if (provider.isEmpty() || endpoint.isEmpty()) {
      return TokenLookup.refused(Reason.ISSUER_UNAVAILABLE, "it is not known, or has no introspection_endpoint");
    }
    Map<String, String> form = new LinkedHashMap<>();
    form.put("token", text);
    form.put("token_type_hint", "access_token");
    return switch (calls.post(realm, provider.get(), endpoint.get(), form)) {
      case Reply.Unreachable(String problem) -> TokenLookup.refused(Reason.ISSUER_UNAVAILABLE, problem);
      case Reply.Refused(int status, String error) ->
          TokenLookup.refused(Reason.ISSUER_UNAVAILABLE, "introspection was refused: " + status + " " + error);
      case Reply.Done(Map<String, Object> answer) -> verified(realm, config, provider.get(), answer);
    };
  }

  private Optional<URI> endpoint(String issuer) {
    return providers.state(issuer) instanceof ProviderState.Usable known
        ? known.metadata().introspectionEndpoint()
        : Optional.empty();
  }

  private TokenLookup verified(Realm realm, BearerConfig config, ProviderConfig provider, Map<String, Object> answer) {
    if (!Boolean.TRUE.equals(answer.get("active"))) {
      return TokenLookup.refused(Reason.TOKEN_INACTIVE, "the issuer says that it does not count");
    }
    if (answer.containsKey("iss") && !provider.issuer().equals(answer.get("iss"))) {
      return TokenLookup.refused(Reason.TOKEN_ISSUER, "iss is another issuer");
    }
    List<String> audience =
        switch (answer.get("aud")) {
          case String one -> List.of(one);
          case List<?> several -> several.stream().map(String::valueOf).toList();
          case null -> List.of();
          case Object other -> List.of();
        };
    Map<String, Object> claims = new LinkedHashMap<>(answer);
    if (answer.get("username") instanceof String name) {
      // The name of RFC 7662; the claim in the provider's configuration takes precedence.
      claims.putIfAbsent(provider.claims().user(), name);
    }
    ProviderTrust trust = ProviderTrust.ofProvider(realm, provider);
    return TokenRules.apply(
        claims, audience, time(answer, "exp"), time(answer, "nbf"), config, provider, trust, time.instant());
  }

  private static Optional<Instant> time(Map<String, Object> answer, String name) {
    return answer.get(name) instanceof Number seconds
        ? Optional.of(Instant.ofEpochSecond(Math.clamp(seconds.longValue(), 0, LAST_SECOND)))
        : Optional.empty();
  }
}
