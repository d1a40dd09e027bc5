package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Optional;

/**
 * The Response was issued by the identity provider that was asked (SAML Profiles 4.1.4.2), by whose keys alone it was
 * verified: another one of the realm's cannot answer in its place (mix-up).
 */
public final class AskedIdentityProviderCheck implements RequestCheck {

  @Override
  public Optional<SamlRefusal> check(AuthenticationResult answer, RequestedLogin asked) {
    return Refuse.unless(
        answer.identityProvider().equals(asked.identityProvider()),
        Reason.ISSUER_MISMATCH,
        "the Response's Issuer is not the identity provider that was asked");
  }
}
