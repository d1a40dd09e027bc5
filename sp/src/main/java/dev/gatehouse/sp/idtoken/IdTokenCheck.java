package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import java.util.Optional;

/** One rule that an ID token must keep. */
interface IdTokenCheck {

  /** Why it is refused; empty where it keeps the rule. */
  Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected);
}
