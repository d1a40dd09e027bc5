package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that the LogoutRequest was issued before it arrived, and that its validity is not longer than configured (SAML
 * Core 3.7.1).
 */
public final class LogoutTimesCheck implements LogoutRequestCheck {

  @Override
  public Optional<SamlRefusal> check(LogoutRequest request, SpConfig sp, Instant now) {
    if (request.issueInstant().isAfter(now.plus(sp.times().ahead()))) {
      return SamlRefusal.unless(false, Reason.NOT_YET_VALID, "LogoutRequest's IssueInstant");
    }
    Instant latest = request.issueInstant().plus(sp.times().validity());
    return SamlRefusal.unless(
        request.notOnOrAfter().filter(end -> end.isAfter(latest)).isEmpty(),
        Reason.VALIDITY_TOO_LONG,
        "LogoutRequest's NotOnOrAfter is later than IssueInstant and " + sp.times().validity());
  }
}
