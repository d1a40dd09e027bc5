package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import java.util.List;
import java.util.Optional;

/** All rules for an ID token except its signature, in the order in which they run. No caller can leave one out. */
final class IdTokenRules {

  static final List<IdTokenCheck> ALL =
      List.of(
          new TypeCheck(),
          new IssuerCheck(),
          new AudienceCheck(),
          new AuthorizedPartyCheck(),
          new ExpiryCheck(),
          new IssuedAtCheck(),
          new SubjectCheck(),
          new NonceCheck(),
          new AccessTokenHashCheck(),
          new AuthTimeCheck(),
          new AcrCheck());

  private IdTokenRules() {}

  /** Returns the first refusal; empty if all rules are satisfied. */
  static Optional<OpenIdRefusal> refusal(ReceivedJwt token, TokenExpectation expected) {
    return ALL.stream().map(check -> check.check(token, expected)).flatMap(Optional::stream).findFirst();
  }

  /** Returns the results of all rules. */
  static List<IdTokenResult> results(ReceivedJwt token, TokenExpectation expected) {
    return ALL.stream().map(check -> IdTokenResult.of(check, check.check(token, expected))).toList();
  }
}
