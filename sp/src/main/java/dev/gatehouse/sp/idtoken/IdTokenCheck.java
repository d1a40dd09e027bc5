package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import java.util.Optional;

/** A rule for ID tokens. */
interface IdTokenCheck {

  /** Returns the reason to refuse the token; empty if the rule is satisfied. */
  Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected);
}
