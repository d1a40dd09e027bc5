package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.JwtClaims;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.provider.OpenIdProviders;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The only class that creates {@link VerifiedLogoutToken}s (OpenID Connect Back-Channel Logout 1.0, section 2.6). It
 * checks the signature with the provider's keys, then applies {@link LogoutTokenRules}.
 */
public final class LogoutTokenValidator {

  private final OpenIdProviders providers;
  private final InstantSource time;

  public LogoutTokenValidator(OpenIdProviders providers, InstantSource time) {
    this.providers = providers;
    this.time = time;
  }

  /** Blocks if a key must be fetched from the provider. */
  public Result<VerifiedLogoutToken, OpenIdRefusal> validate(Realm realm, String text) {
    return switch (ReceivedJwt.read(text, OwnKey.REFUSED)) {
      case Result.Refused(String problem) -> OpenIdRefusal.refused(Reason.JWT_UNREADABLE, problem);
      case Result.Accepted(ReceivedJwt token) -> {
        Optional<ProviderConfig> provider = token.claims().issuer().flatMap(realm::provider);
        Optional<ProviderConfig.Client> client = provider.flatMap(ProviderConfig::client);
        if (provider.isEmpty() || client.isEmpty()) {
          yield OpenIdRefusal.refused(Reason.ISSUER, "iss is no provider of ours");
        }
        yield Signatures.refusal(providers, provider.get().issuer(), token)
            .or(() -> LogoutTokenRules.refusal(token, client.get().clientId(), time.instant()))
            .<Result<VerifiedLogoutToken, OpenIdRefusal>>map(Result.Refused::new)
            .orElseGet(() -> new Result.Accepted<>(verified(token.claims())));
      }
    };
  }

  private static VerifiedLogoutToken verified(JwtClaims claims) {
    Instant issued = claims.issuedAt().orElseThrow();
    return new VerifiedLogoutToken(
        claims.issuer().orElseThrow(),
        claims.subject(),
        LogoutTokenRules.session(claims),
        claims.id().orElseThrow(),
        issued,
        issued.plus(LogoutTokenRules.LONGEST).plus(TokenExpectation.CLOCK_SKEW));
  }
}
