package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import java.util.Optional;

/** Checks that the confirmation is addressed to this AssertionConsumerService (SAML Profiles 4.1.4.2, 4.1.4.3). */
public final class RecipientCheck implements ConfirmationCheck {

  @Override
  public Optional<SamlRefusal> check(SubjectConfirmation confirmation, ResponseExpectation expected) {
    return SamlRefusal.unless(
        confirmation.recipient().filter(expected.sp().acs()::equals).isPresent(),
        Reason.RECIPIENT,
        "Recipient is missing or not our AssertionConsumerService");
  }
}
