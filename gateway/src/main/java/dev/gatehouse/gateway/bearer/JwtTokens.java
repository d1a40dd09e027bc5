package dev.gatehouse.gateway.bearer;

import dev.gatehouse.common.jose.JwtClaims;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.gateway.bearer.TokenRefusal.Reason;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.provider.OpenIdProviders;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Verifies access tokens that are JWTs (RFC 9068, section 4). */
final class JwtTokens {

  /** The type of RFC 9068, section 2.1, and {@code JWT} for older products. */
  private static final Set<String> TYPES = Set.of("at+jwt", "jwt");

  /** Claims that identify other JWTs of the same issuer: ID tokens and logout tokens (RFC 8725, section 3.12). */
  private static final List<String> CLAIMS_OF_OTHER_TYPES = List.of("nonce", "at_hash", "c_hash", "events");

  private final OpenIdProviders providers;
  private final InstantSource time;

  JwtTokens(OpenIdProviders providers, InstantSource time) {
    this.providers = providers;
    this.time = time;
  }

  /** Verifies a token; blocks if a key must be fetched from the issuer. */
  TokenLookup verify(Realm realm, BearerConfig config, String text) {
    return switch (ReceivedJwt.read(text, OwnKey.REFUSED)) {
      case Result.Refused(String problem) -> TokenLookup.refused(Reason.TOKEN_UNREADABLE, problem);
      case Result.Accepted(ReceivedJwt token) -> verify(realm, config, token);
    };
  }

  private TokenLookup verify(Realm realm, BearerConfig config, ReceivedJwt token) {
    JwtClaims claims = token.claims();
    boolean another = CLAIMS_OF_OTHER_TYPES.stream().anyMatch(claims.all()::containsKey);
    if (!TYPES.contains(token.type().orElse("")) || another) {
      return TokenLookup.refused(Reason.TOKEN_TYPE, "typ is not at+jwt or JWT, or it is another kind of token");
    }
    Optional<ProviderConfig> provider =
        claims.issuer().filter(config.issuers()::contains).flatMap(realm::provider);
    if (provider.isEmpty()) {
      return TokenLookup.refused(Reason.TOKEN_ISSUER, "iss is not one of this route");
    }
    return switch (providers.signatureOf(provider.get().issuer(), token)) {
      case KEYS_UNKNOWN -> TokenLookup.refused(Reason.ISSUER_UNAVAILABLE, "the keys of the issuer are not known");
      case OF_NOBODY_KNOWN -> TokenLookup.refused(Reason.TOKEN_SIGNATURE, "not signed with a key that the issuer publishes");
      case OF_ISSUER ->
          TokenRules.apply(
              claims.all(),
              claims.audience(),
              claims.expiresAt(),
              claims.notBefore(),
              config,
              provider.get(),
              ProviderTrust.ofProvider(realm, provider.get()),
              time.instant());
    };
  }
}
