package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import java.util.Optional;

/** A rule about a bearer SubjectConfirmation. If an Assertion has several confirmations, one must satisfy all rules. */
public interface ConfirmationCheck {

  /** Returns the reason to refuse it; empty if the rule is satisfied. */
  Optional<SamlRefusal> check(SubjectConfirmation confirmation, ResponseExpectation expected);
}
