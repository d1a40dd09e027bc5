package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.saml.SamlMessage.RequestedAuthnContext;
import dev.gatehouse.idp.authn.AuthnWanted;
import java.time.Instant;
import java.util.Optional;

/**
 * A sign-on that was asked for and accepted as such: what must be known to answer it, whoever the person turns out to be.
 *
 * @param partner entity ID of the service provider
 * @param consumer location of its AssertionConsumerService, listed in its metadata
 * @param requestId ID of its AuthnRequest; empty for IdP-initiated sign-on
 * @param receivedAt when it came to us
 * @param relayState returned as it was sent
 * @param nameIdFormat of the NameID to give
 * @param mayCreate whether a persistent NameID may be made now (NameIDPolicy AllowCreate)
 * @param subject whom the service provider means, if it says so
 */
public record SignOn(
    String realm,
    String partner,
    String consumer,
    Optional<String> requestId,
    Instant receivedAt,
    Optional<String> relayState,
    NameIdFormat nameIdFormat,
    boolean mayCreate,
    boolean forceAuthn,
    boolean isPassive,
    Optional<RequestedAuthnContext> requestedAuthnContext,
    Optional<NameId> subject) {

  /** What it asks of a login. */
  AuthnWanted wanted() {
    return new AuthnWanted(
        requestedAuthnContext, Optional.empty(), forceAuthn ? Optional.of(receivedAt) : Optional.empty());
  }
}
