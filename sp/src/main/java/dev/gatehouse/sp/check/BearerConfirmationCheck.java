package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import java.util.List;
import java.util.Optional;

/**
 * Checks that at least one bearer SubjectConfirmation satisfies every rule of {@link #RULES} (SAML Profiles 4.1.4.2,
 * 4.1.4.3; Core 2.4.1.1). If none does, it reports the refusal of the first one.
 */
public final class BearerConfirmationCheck implements AssertionCheck {

  static final List<ConfirmationCheck> RULES =
      List.of(
          new RecipientCheck(),
          new ConfirmationInResponseToCheck(),
          new ConfirmationNotBeforeCheck(),
          new ConfirmationNotOnOrAfterCheck());

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    List<Optional<SamlRefusal>> verdicts =
        assertion.confirmations().stream()
            .filter(confirmation -> confirmation.method().equals(Assertion.BEARER))
            .map(confirmation -> verdict(confirmation, expected))
            .toList();
    if (verdicts.isEmpty()) {
      return SamlRefusal.unless(false, Reason.CONFIRMATION, "no SubjectConfirmation by bearer");
    }
    return verdicts.stream().anyMatch(Optional::isEmpty) ? Optional.empty() : verdicts.getFirst();
  }

  private static Optional<SamlRefusal> verdict(SubjectConfirmation confirmation, ResponseExpectation expected) {
    return RULES.stream().map(rule -> rule.check(confirmation, expected)).flatMap(Optional::stream).findFirst();
  }
}
