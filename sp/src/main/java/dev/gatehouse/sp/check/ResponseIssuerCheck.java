package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.ReceivedResponse;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Optional;

/** The Response was issued by our identity provider (SAML Profiles 4.1.4.2), by whose keys alone it was verified. */
public final class ResponseIssuerCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, Expectation expected) {
    return Refuse.unless(
        response.response().issuer().equals(expected.sp().identityProvider()),
        Reason.ISSUER_MISMATCH,
        "the Response's Issuer is not our identity provider");
  }
}
