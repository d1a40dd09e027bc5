package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.List;
import java.util.Optional;

/**
 * The Assertion names one user and no more: one value of the attribute that the realm takes the name from, or none and
 * the NameID is the name. Control characters would let a name pose as another one in headers and logs.
 */
public final class UserNameCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, Expectation expected) {
    List<String> names =
        assertion.attributes().stream()
            .filter(attribute -> attribute.name().equals(expected.sp().subject().user()))
            .map(SamlAttribute::values)
            .flatMap(List::stream)
            .toList();
    String name = names.isEmpty() ? assertion.subject().value() : names.getFirst();
    boolean plain = !name.isBlank() && name.chars().noneMatch(Character::isISOControl);
    return Refuse.unless(names.size() <= 1 && plain, Reason.SUBJECT_MISSING, "no single plain user name");
  }
}
