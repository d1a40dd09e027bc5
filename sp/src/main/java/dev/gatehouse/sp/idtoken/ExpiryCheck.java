package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/** Checks that the token has not expired (OpenID Connect Core 3.1.3.7, rule 9). */
final class ExpiryCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    return OpenIdRefusal.unless(
        token.claims().expiresAt().filter(end -> !expected.isPast(end)).isPresent(), Reason.EXPIRED, "exp is missing or past");
  }
}
