package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion.SubjectConfirmation;
import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;

/** One rule about a bearer SubjectConfirmation: of several in an Assertion, one must keep all of them. */
public interface ConfirmationCheck {

  /** Why it is refused; empty where this rule has nothing against it. */
  Optional<SamlRefusal> check(SubjectConfirmation confirmation, ResponseExpectation expected);
}
