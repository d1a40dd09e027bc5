package dev.gatehouse.sp.inspection;

import java.time.Instant;
import java.util.Optional;

/**
 * A login that an administrator began to see what an identity provider answers.
 *
 * @param id the ID of the AuthnRequest
 * @param result empty while the answer has not come
 */
record TestLogin(String realm, String identityProvider, String id, Instant startedAt, Optional<Result> result) {

  /**
   * The answer.
   *
   * @param recording empty if the Response came by artifact, which nobody could verify again, or brought a password
   */
  record Result(Inspection inspection, Optional<Recording> recording) {}

  TestLogin with(Result found) {
    return new TestLogin(realm, identityProvider, id, startedAt, Optional.of(found));
  }
}
