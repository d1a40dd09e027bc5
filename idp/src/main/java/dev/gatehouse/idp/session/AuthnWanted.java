package dev.gatehouse.idp.session;

import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import java.time.Instant;
import java.util.Optional;

/**
 * The demands of a sign-on on the login.
 *
 * @param requested the demand of the partner's message
 * @param least the partner's least contract, which the login must reach whatever the message demands
 * @param notBefore the time after which the login must have happened (ForceAuthn); empty if it does not matter
 */
public record AuthnWanted(
    Optional<RequestedAuthnContext> requested, Optional<LoginContract> least, Optional<Instant> notBefore) {

  /** No demands: any login is sufficient. */
  public static AuthnWanted anything() {
    return new AuthnWanted(Optional.empty(), Optional.empty(), Optional.empty());
  }
}
