package dev.gatehouse.sp.acs;

import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import java.util.Optional;

/**
 * A login that kept every rule, in the browser that it belongs to, and not yet consumed.
 *
 * @param pending the request that it answers, which this browser sent; empty where it is unsolicited
 * @param target where the person goes
 * @param browser the hash of what the browser holds: of its {@code gh_pre} cookie where it answers a request, of its {@code gh_park}
 *     cookie where it does not
 */
record RecognisedLogin(
    VerifiedAssertion assertion, Optional<PendingRequest> pending, ReturnTarget target, String browser) {

  boolean isSolicited() {
    return pending.isPresent();
  }
}
