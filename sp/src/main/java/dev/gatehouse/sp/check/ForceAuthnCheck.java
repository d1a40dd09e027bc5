package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.time.Instant;
import java.util.Optional;

/** Checks that the person was authenticated after the request, if the request had ForceAuthn (SAML Core 3.4.1). */
public final class ForceAuthnCheck implements RequestCheck {

  @Override
  public Optional<SamlRefusal> check(AuthenticationResult result, RequestedLogin requested) {
    Instant earliest = requested.at().minus(ResponseExpectation.CLOCK_SKEW);
    boolean fresh =
        !requested.forceAuthn() || result.authnInstant().filter(at -> !at.isBefore(earliest)).isPresent();
    return SamlRefusal.unless(fresh, Reason.AUTHN_NOT_FRESH, "AuthnInstant is before our request with ForceAuthn");
  }
}
