package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/** It is from the provider that was asked, letter by letter (OpenID Connect Core 3.1.3.7, rule 2). */
final class IssuerCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    return Refuse.unless(
        token.claims().issuer().filter(expected.issuer()::equals).isPresent(), Reason.ISSUER, "iss is not the provider");
  }
}
