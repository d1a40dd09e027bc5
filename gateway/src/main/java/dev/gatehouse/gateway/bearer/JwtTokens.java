package dev.gatehouse.gateway.bearer;

import dev.gatehouse.common.jose.Checked;
import dev.gatehouse.common.jose.JwtClaims;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.bearer.TokenRefusal.Reason;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.provider.OpenIdProviders;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks at access tokens that are JWTs (RFC 9068, section 4). */
final class JwtTokens {

  /** RFC 9068, section 2.1; {@code JWT} to products of before. */
  private static final Set<String> TYPES = Set.of("at+jwt", "jwt");

  /** Claims by which other JWTs of the same issuer betray themselves: ID tokens and logout tokens (RFC 8725, section 3.12). */
  private static final List<String> OF_OTHERS = List.of("nonce", "at_hash", "c_hash", "events");

  private final OpenIdProviders providers;
  private final InstantSource time;

  JwtTokens(OpenIdProviders providers, InstantSource time) {
    this.providers = providers;
    this.time = time;
  }

  /** Blocks where the issuer has to be asked for a key. */
  TokenLookup look(Realm realm, BearerConfig config, String text) {
    return switch (ReceivedJwt.read(text, OwnKey.REFUSED)) {
      case Checked.Failed<ReceivedJwt>(String problem) -> TokenLookup.refused(Reason.TOKEN_UNREADABLE, problem);
      case Checked.Passed<ReceivedJwt>(ReceivedJwt token) -> look(realm, config, token);
    };
  }

  private TokenLookup look(Realm realm, BearerConfig config, ReceivedJwt token) {
    JwtClaims claims = token.claims();
    boolean another = OF_OTHERS.stream().anyMatch(claims.all()::containsKey);
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
