package dev.gatehouse.sp.check;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All rules about a Response by itself, in the order in which they run. No caller can leave one out.
 * {@link RequestRules} holds the rules that compare a Response with our request.
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

  /** Returns the one Assertion if it satisfies all rules, otherwise the first refusal. */
  public static Result<Assertion, SamlRefusal> apply(ReceivedResponse response, ResponseExpectation expected) {
    Optional<SamlRefusal> refusal =
        first(OF_RESPONSE, check -> check.check(response, expected));
    if (refusal.isPresent()) {
      return new Result.Refused<>(refusal.get());
    }
    Assertion assertion = response.assertions().getFirst();
    return first(OF_ASSERTION, check -> check.check(assertion, expected))
        .<Result<Assertion, SamlRefusal>>map(Result.Refused::new)
        .orElseGet(() -> new Result.Accepted<>(assertion));
  }

  /** Returns the result of every rule; without those about the Assertion unless there is exactly one. */
  public static List<CheckResult> results(ReceivedResponse response, ResponseExpectation expected) {
    Stream<CheckResult> ofResponse =
        OF_RESPONSE.stream().map(check -> new CheckResult(check.getClass(), check.check(response, expected)));
    if (response.assertions().size() != 1) {
      return ofResponse.toList();
    }
    Assertion assertion = response.assertions().getFirst();
    return Stream.concat(
            ofResponse,
            OF_ASSERTION.stream().map(check -> new CheckResult(check.getClass(), check.check(assertion, expected))))
        .toList();
  }

  private static <C> Optional<SamlRefusal> first(List<C> checks, Function<C, Optional<SamlRefusal>> run) {
    return checks.stream().map(run).flatMap(Optional::stream).findFirst();
  }
}
