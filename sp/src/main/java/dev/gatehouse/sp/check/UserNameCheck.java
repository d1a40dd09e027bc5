package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.stringprep.StringPreparation;
import java.util.List;
import java.util.Optional;

/**
 * The Assertion names one user and no more: one value of the attribute that the realm takes the name from, or, where that
 * was not sent, the NameID. Where values of the attribute were sent and none counts, or where it is a scoped one, the
 * NameID is no name: it would be a way round the rule that a provider may speak of its own scopes alone. Control
 * characters, and those that string preparation changes, would let a name pose as another one in headers, logs and apps. Where accounts are linked, nothing hangs on it.
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
      return Refuse.unless(false, Reason.SUBJECT_MISSING, "no value of " + attribute + " that counts");
    }
    String name = names.isEmpty() ? assertion.subject().value() : names.getFirst();
    boolean plain = !name.isBlank() && name.chars().noneMatch(Character::isISOControl) && StringPreparation.keeps(name);
    return Refuse.unless(names.size() <= 1 && plain, Reason.SUBJECT_MISSING, "no single plain user name");
  }
}
