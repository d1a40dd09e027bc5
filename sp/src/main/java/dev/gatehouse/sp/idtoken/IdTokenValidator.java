package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.crypto.Digests;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.provider.OpenIdProviders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The only class that creates {@link VerifiedIdToken}s. It checks the signature with the provider's keys, then applies
 * {@link IdTokenRules}.
 */
public final class IdTokenValidator {

  private final OpenIdProviders providers;

  public IdTokenValidator(OpenIdProviders providers) {
    this.providers = providers;
  }

  /** Blocks if a key must be fetched from the provider. */
  public Result<VerifiedIdToken, OpenIdRefusal> validate(String text, TokenExpectation expected) {
    return switch (ReceivedJwt.read(text, OwnKey.REFUSED)) {
      case Result.Refused(String problem) -> OpenIdRefusal.refused(Reason.JWT_UNREADABLE, problem);
      case Result.Accepted(ReceivedJwt token) ->
          Signatures.refusal(providers, expected.issuer(), token)
              .or(() -> IdTokenRules.refusal(token, expected))
              .or(() -> UserName.refusal(ClaimValues.of(token.claims().all()), expected.userClaim()))
              .<Result<VerifiedIdToken, OpenIdRefusal>>map(Result.Refused::new)
              .orElseGet(() -> new Result.Accepted<>(verified(token, text)));
    };
  }

  /** Applies all rules, without effect, to the answer to a test login. Blocks if a key must be fetched from the provider. */
  public InspectedIdToken inspect(String text, TokenExpectation expected) {
    return switch (ReceivedJwt.read(text, OwnKey.REFUSED)) {
      case Result.Refused(String problem) -> {
        OpenIdRefusal refusal = new OpenIdRefusal(Reason.JWT_UNREADABLE, problem);
        yield new InspectedIdToken(List.of(new IdTokenResult("jwt", Optional.of(refusal))), Optional.empty());
      }
      case Result.Accepted(ReceivedJwt token) -> {
        List<IdTokenResult> results = new ArrayList<>();
        results.add(new IdTokenResult("jwt", Optional.empty()));
        results.add(new IdTokenResult("signature", Signatures.refusal(providers, expected.issuer(), token)));
        results.addAll(IdTokenRules.results(token, expected));
        results.add(
            new IdTokenResult("user-name", UserName.refusal(ClaimValues.of(token.claims().all()), expected.userClaim())));
        yield new InspectedIdToken(List.copyOf(results), Optional.of(token));
      }
    };
  }

  private static VerifiedIdToken verified(ReceivedJwt token, String text) {
    Optional<String> session = token.claims().text("sid").filter(sid -> !sid.isEmpty());
    return new VerifiedIdToken(
        token.claims().issuer().orElseThrow(),
        token.claims().subject().orElseThrow(),
        token.claims().id().orElseGet(() -> Digests.of("id token", text).substring(0, 22)),
        ClaimValues.of(token.claims().all()),
        session,
        new VerifiedIdToken.Authentication(token.claims().text("acr"), AuthTimeCheck.time(token)),
        token.claims().issuedAt().orElseThrow(),
        text);
  }
}
