package dev.gatehouse.sp.acs;

import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import java.util.Optional;

/**
 * A verified login in the browser that it belongs to. It is not consumed yet.
 *
 * @param pending the request that it answers, which this browser sent; empty if the login is unsolicited
 * @param target the place to return to
 * @param browser the hash of the browser's secret: of its {@code gh_pre} cookie if the login answers a request,
 *     otherwise of its {@code gh_park} cookie
 */
record RecognisedLogin(
    VerifiedAssertion assertion, Optional<PendingRequest> pending, ReturnTarget target, String browser) {

  boolean isSolicited() {
    return pending.isPresent();
  }
}
