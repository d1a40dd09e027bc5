package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import java.util.Optional;

/** Checks that the Subject has a NameID with a value, which logout needs (SAML Profiles 4.1.4.2, 4.4.4.1). */
public final class SubjectCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    return SamlRefusal.unless(!assertion.subject().value().isBlank(), Reason.SUBJECT_MISSING, "the NameID is blank");
  }
}
