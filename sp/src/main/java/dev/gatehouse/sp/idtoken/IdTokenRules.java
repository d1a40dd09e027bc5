package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import java.util.List;
import java.util.Optional;

/**
 * Every rule that an ID token must keep besides its signature, in the order in which they are looked at. There is no way to leave
 * one out.
 */
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

  /** The first refusal; empty where it keeps them all. */
  static Optional<OpenIdRefusal> refusal(ReceivedJwt token, TokenExpectation expected) {
    return ALL.stream().map(check -> check.check(token, expected)).flatMap(Optional::stream).findFirst();
  }
}
