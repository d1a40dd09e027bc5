package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import java.util.Optional;

/** Checks that a bearer confirmation has a NotOnOrAfter that has not passed (SAML Profiles 4.1.4.2, 4.1.4.3). */
public final class ConfirmationNotOnOrAfterCheck implements ConfirmationCheck {

  @Override
  public Optional<SamlRefusal> check(SubjectConfirmation confirmation, ResponseExpectation expected) {
    if (confirmation.notOnOrAfter().isEmpty()) {
      return SamlRefusal.unless(false, Reason.CONFIRMATION, "SubjectConfirmationData has no NotOnOrAfter");
    }
    return SamlRefusal.unless(
        confirmation.notOnOrAfter().filter(expected::isPast).isEmpty(),
        Reason.EXPIRED,
        "SubjectConfirmationData's NotOnOrAfter");
  }
}
