package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.ReceivedResponse;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Optional;

/** The Response was made before it came (SAML Core 3.2.2, IssueInstant), as far as clocks agree. */
public final class ResponseIssueInstantCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected) {
    return Refuse.unless(
        !expected.isAhead(response.response().issueInstant()), Reason.NOT_YET_VALID, "the Response's IssueInstant");
  }
}
