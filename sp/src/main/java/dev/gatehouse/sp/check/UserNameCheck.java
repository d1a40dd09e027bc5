package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.stringprep.StringPreparation;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the Assertion contains exactly one user name: one value of the attribute from which the realm takes the
 * name, or the NameID if the attribute was not sent. The NameID does not replace the attribute if values were sent but
 * none counts, or if the attribute is a scoped one; otherwise it would bypass the rule that a provider may only use its
 * own scopes. Control characters, and characters that string preparation changes, are refused because they would make a
 * name look like another one in headers, logs and apps. If accounts are linked, the user name is not used and not
 * checked.
 */
public final class UserNameCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    if (expected.linksAccounts()) {
      return Optional.empty();
    }
    String attribute = AttributeName.plain(expected.sp().subject().user());
    List<SamlAttribute> sent =
        assertion.attributes().stream().filter(a -> AttributeName.plain(a.name()).equals(attribute)).toList();
    List<String> names = sent.stream().map(SamlAttribute::values).flatMap(List::stream).distinct().toList();
    if (names.isEmpty() && (!sent.isEmpty() || AttributeName.isScoped(attribute))) {
      return SamlRefusal.unless(false, Reason.SUBJECT_MISSING, "no value of " + attribute + " that counts");
    }
    String name = names.isEmpty() ? assertion.subject().value() : names.getFirst();
    boolean plain = !name.isBlank() && name.chars().noneMatch(Character::isISOControl) && StringPreparation.keeps(name);
    return SamlRefusal.unless(names.size() <= 1 && plain, Reason.SUBJECT_MISSING, "no single plain user name");
  }
}
