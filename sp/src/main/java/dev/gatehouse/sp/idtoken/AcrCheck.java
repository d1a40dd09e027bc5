package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/**
 * Checks that the login has one of the requested classes (OpenID Connect Core 3.1.3.7, rule 12). For the provider,
 * {@code acr_values} is only a preference; for us it is a condition.
 */
final class AcrCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    Optional<String> earned = token.claims().text("acr");
    return OpenIdRefusal.unless(
        expected.acr().isEmpty() || earned.filter(expected.acr()::contains).isPresent(),
        Reason.ACR,
        "acr is " + earned.orElse("missing") + ", which was not asked for");
  }
}
