package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/**
 * Checks that {@code at_hash}, if present, belongs to the access token of the same response (OpenID Connect Core
 * 3.1.3.8).
 */
final class AccessTokenHashCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    if (!token.claims().all().containsKey("at_hash")) {
      return Optional.empty();
    }
    boolean same =
        expected
            .accessToken()
            .map(accessToken -> accessToken.by(token.algorithm()))
            .filter(hash -> token.claims().text("at_hash").filter(hash::equals).isPresent())
            .isPresent();
    return OpenIdRefusal.unless(same, Reason.ACCESS_TOKEN_HASH, "at_hash is of another access token");
  }
}
