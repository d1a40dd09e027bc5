package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;

/** One rule about the one Assertion of a Response. */
public interface AssertionCheck {

  /** Why it is refused; empty where this rule has nothing against it. */
  Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected);
}
