package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import java.util.Optional;

/** Checks that a bearer confirmation has no NotBefore (SAML Profiles 4.1.4.2). */
public final class ConfirmationNotBeforeCheck implements ConfirmationCheck {

  @Override
  public Optional<SamlRefusal> check(SubjectConfirmation confirmation, ResponseExpectation expected) {
    return SamlRefusal.unless(
        confirmation.notBefore().isEmpty(), Reason.CONFIRMATION, "SubjectConfirmationData has a NotBefore");
  }
}
