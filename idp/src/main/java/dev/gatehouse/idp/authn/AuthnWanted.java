package dev.gatehouse.idp.authn;

import dev.gatehouse.common.saml.SamlMessage.RequestedAuthnContext;
import java.time.Instant;
import java.util.Optional;

/**
 * What a sign-on asks of the login that answers it.
 *
 * @param requested what the partner's message asks for
 * @param least the partner's least contract, whatever the message asks for: what the login must reach
 * @param notBefore where only a login since then counts (ForceAuthn)
 */
public record AuthnWanted(
    Optional<RequestedAuthnContext> requested, Optional<LoginContract> least, Optional<Instant> notBefore) {

  /** Any login will do. */
  public static AuthnWanted anything() {
    return new AuthnWanted(Optional.empty(), Optional.empty(), Optional.empty());
  }
}
