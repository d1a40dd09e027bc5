package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import java.util.Optional;

/**
 * Checks that the identity provider reports success (SAML Core 3.2.2.2). A Response with another status has no other
 * effect.
 */
public final class StatusCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected) {
    return SamlRefusal.unless(
        response.response().status().isSuccess(),
        Reason.STATUS_NOT_SUCCESS,
        "status " + response.response().status().code() + " " + response.response().status().subCode().orElse("-"));
  }
}
