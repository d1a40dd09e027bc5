package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import java.util.Optional;

/**
 * Checks that the confirmation names the same request as the Response, or none if the Response names none (SAML
 * Profiles 4.1.4.3, 4.1.5).
 */
public final class ConfirmationInResponseToCheck implements ConfirmationCheck {

  @Override
  public Optional<SamlRefusal> check(SubjectConfirmation confirmation, ResponseExpectation expected) {
    return SamlRefusal.unless(
        confirmation.inResponseTo().equals(expected.requestId()),
        Reason.IN_RESPONSE_TO,
        "SubjectConfirmationData's InResponseTo differs from the Response's");
  }
}
