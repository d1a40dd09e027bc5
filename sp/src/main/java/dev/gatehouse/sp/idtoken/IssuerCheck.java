package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/**
 * Checks that the token comes from the provider to which the request was sent, by exact comparison (OpenID Connect Core
 * 3.1.3.7, rule 2).
 */
final class IssuerCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    return OpenIdRefusal.unless(
        token.claims().issuer().filter(expected.issuer()::equals).isPresent(), Reason.ISSUER, "iss is not the provider");
  }
}
