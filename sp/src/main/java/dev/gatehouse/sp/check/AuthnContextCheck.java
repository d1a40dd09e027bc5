package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the login has one of the requested classes (SAML Core 3.3.2.2.1, exact comparison). This also prevents a
 * redirect loop: a page that demands a stronger login never sees the weaker session again.
 */
public final class AuthnContextCheck implements RequestCheck {

  @Override
  public Optional<SamlRefusal> check(AuthenticationResult result, RequestedLogin requested) {
    List<String> wanted = requested.authnContext();
    Optional<String> earned = result.authnContextClassRef();
    return SamlRefusal.unless(
        wanted.isEmpty() || earned.filter(wanted::contains).isPresent(),
        Reason.AUTHN_CONTEXT,
        "AuthnContextClassRef is " + earned.orElse("missing") + ", which was not asked for");
  }
}
