package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.ReceivedResponse;
import dev.gatehouse.common.saml.SamlRefusal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Every rule that a Response must keep by itself, in the order in which they are looked at. There is no way to leave one out. Those that hold it
 * against our request are {@link RequestRules}.
 */
public final class ResponseRules {

  static final List<ResponseCheck> OF_RESPONSE =
      List.of(
          new DestinationCheck(),
          new ResponseIssueInstantCheck(),
          new StatusCheck(),
          new UnsolicitedCheck(),
          new InResponseToCheck(),
          new AssertionCountCheck());

  static final List<AssertionCheck> OF_ASSERTION =
      List.of(
          new AssertionIssuerCheck(),
          new SubjectCheck(),
          new UserNameCheck(),
          new BearerConfirmationCheck(),
          new AudienceCheck(),
          new NotBeforeCheck(),
          new NotOnOrAfterCheck(),
          new AssertionInstantsCheck(),
          new ValidityCheck(),
          new AuthnStatementCheck(),
          new SessionNotOnOrAfterCheck(),
          new IssuedBeforeStartCheck());

  private ResponseRules() {}

  /** The one Assertion, which kept them all, or the first refusal. */
  public static Reading<Assertion> apply(ReceivedResponse response, ResponseExpectation expected) {
    Optional<SamlRefusal> refusal =
        first(OF_RESPONSE, check -> check.check(response, expected));
    if (refusal.isPresent()) {
      return new Reading.Refused<>(refusal.get());
    }
    Assertion assertion = response.assertions().getFirst();
    return first(OF_ASSERTION, check -> check.check(assertion, expected))
        .<Reading<Assertion>>map(Reading.Refused::new)
        .orElseGet(() -> new Reading.Accepted<>(assertion));
  }

  private static <C> Optional<SamlRefusal> first(List<C> checks, Function<C, Optional<SamlRefusal>> run) {
    return checks.stream().map(run).flatMap(Optional::stream).findFirst();
  }
}
