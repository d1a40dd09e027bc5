package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Optional;

/**
 * Checks that the identity provider to which the request was sent has issued the Response (SAML Profiles 4.1.4.2); only
 * its keys verified the Response. Another identity provider of the realm cannot answer in its place (mix-up).
 */
public final class AskedIdentityProviderCheck implements RequestCheck {

  @Override
  public Optional<SamlRefusal> check(AuthenticationResult result, RequestedLogin requested) {
    return SamlRefusal.unless(
        result.identityProvider().equals(requested.identityProvider()),
        Reason.ISSUER_MISMATCH,
        "the Response's Issuer is not the identity provider that was asked");
  }
}
