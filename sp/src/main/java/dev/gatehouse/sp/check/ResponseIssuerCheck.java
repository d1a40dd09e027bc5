package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.ReceivedResponse;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Optional;

/**
 * The Response was issued by the identity provider that was asked (SAML Profiles 4.1.4.2), by whose keys alone it was
 * verified: another one of the realm's cannot answer in its place (mix-up).
 */
public final class ResponseIssuerCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, Expectation expected) {
    return Refuse.unless(
        response.response().issuer().equals(expected.identityProvider()),
        Reason.ISSUER_MISMATCH,
        "the Response's Issuer is not the identity provider that was asked");
  }
}
