package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.ReceivedResponse;
import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;

/** One rule about a Response. */
public interface ResponseCheck {

  /** Why it is refused; empty where this rule has nothing against it. */
  Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected);
}
