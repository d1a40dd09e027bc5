package dev.gatehouse.sp.inspection;

import dev.gatehouse.sp.login.CodeExchange;
import java.time.Instant;
import java.util.Optional;

/**
 * A login that an administrator began to see what an identity provider answers.
 *
 * @param id the ID of the AuthnRequest, or {@code state}
 * @param result empty while the answer has not come
 * @param exchange present while the answer of an OpenID provider has not come
 */
record TestLogin(
    String realm,
    String identityProvider,
    String id,
    Instant startedAt,
    Optional<Result> result,
    Optional<CodeExchange> exchange) {

  /**
   * The answer.
   *
   * @param recording empty if the Response came by artifact, which nobody could verify again, if it brought a password, or if no ID
   *     token came
   */
  record Result(Inspection inspection, Optional<Recording> recording) {}

  TestLogin with(Result found) {
    return new TestLogin(realm, identityProvider, id, startedAt, Optional.of(found), Optional.empty());
  }
}
