package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import java.util.Optional;

/** A rule about the single Assertion of a Response. */
public interface AssertionCheck {

  /** Returns the reason to refuse it; empty if the rule is satisfied. */
  Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected);
}
