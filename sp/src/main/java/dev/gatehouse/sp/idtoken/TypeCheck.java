package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/**
 * Checks that an ID token is not another kind of JWT (RFC 8725, section 3.11): {@code typ} is {@code JWT} or missing.
 */
final class TypeCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    return OpenIdRefusal.unless(
        token.type().orElse("jwt").equals("jwt"), Reason.TOKEN_TYPE, "typ is that of another kind of token");
  }
}
