package dev.gatehouse.sp.acs;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.Assertion.SubjectConfirmation;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.ReceivedResponse;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.sp.check.Expectation;
import dev.gatehouse.sp.check.ResponseRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The only maker of {@link VerifiedAssertion}s: runs {@link ResponseRules} and keeps what the session needs. */
final class ResponseValidator {

  private ResponseValidator() {}

  static Reading<VerifiedAssertion> validate(ReceivedResponse response, Expectation expected) {
    return switch (ResponseRules.apply(response, expected)) {
      case Reading.Refused<Assertion>(SamlRefusal refusal) -> new Reading.Refused<>(refusal);
      case Reading.Accepted<Assertion>(Assertion assertion) -> new Reading.Accepted<>(verified(assertion));
    };
  }

  private static VerifiedAssertion verified(Assertion assertion) {
    Optional<AuthnStatement> statement = assertion.authnStatement();
    return new VerifiedAssertion(
        assertion.issuer(),
        assertion.id(),
        assertion.subject(),
        attributes(assertion),
        statement.flatMap(AuthnStatement::sessionIndex),
        statement.flatMap(AuthnStatement::sessionNotOnOrAfter),
        statement.flatMap(AuthnStatement::authnContextClassRef),
        acceptableUntil(assertion));
  }

  /** Values of attributes that stand several times are joined. */
  private static Map<String, List<String>> attributes(Assertion assertion) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (SamlAttribute attribute : assertion.attributes()) {
      values.computeIfAbsent(attribute.name(), name -> new ArrayList<>()).addAll(attribute.values());
    }
    values.replaceAll((name, list) -> List.copyOf(list));
    return Collections.unmodifiableMap(values);
  }

  /** The latest of its ends: one too late keeps a replay mark longer, one too early would open a gap. */
  private static Instant acceptableUntil(Assertion assertion) {
    return Stream.concat(
            assertion.notOnOrAfter().stream(),
            assertion.confirmations().stream().map(SubjectConfirmation::notOnOrAfter).flatMap(Optional::stream))
        .max(Instant::compareTo)
        .orElse(assertion.issueInstant())
        .plus(Expectation.CLOCK_SKEW);
  }
}
