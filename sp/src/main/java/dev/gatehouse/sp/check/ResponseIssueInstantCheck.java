package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import java.util.Optional;

/** Checks that the Response was issued before it arrived (SAML Core 3.2.2, IssueInstant), within the clock skew. */
public final class ResponseIssueInstantCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected) {
    return SamlRefusal.unless(
        !expected.isAhead(response.response().issueInstant()), Reason.NOT_YET_VALID, "the Response's IssueInstant");
  }
}
