package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/** Checks that the token is addressed to us (OpenID Connect Core 3.1.3.7, rule 3). */
final class AudienceCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    return OpenIdRefusal.unless(
        token.claims().audience().contains(expected.clientId()), Reason.AUDIENCE, "aud does not name us");
  }
}
