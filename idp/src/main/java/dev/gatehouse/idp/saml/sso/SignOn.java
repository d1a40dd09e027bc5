package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.saml.SamlMessage.RequestedAuthnContext;
import java.time.Instant;
import java.util.Optional;

/**
 * A sign-on that was asked for and accepted as such: what must be known to answer it, whoever the person turns out to be.
 *
 * @param partner entity ID of the service provider
 * @param consumer of its own, listed in its metadata
 * @param artifactByForm whether an artifact is to travel in a form in place of an address
 * @param requestId ID of its AuthnRequest; empty for IdP-initiated sign-on
 * @param receivedAt when it came to us
 * @param relayState returned as it was sent
 * @param attributeService index of the AttributeConsumingService in its metadata that says what it would like to learn
 * @param subject whom the service provider means, if it says so
 */
public record SignOn(
    String realm,
    String partner,
    ConsumerService consumer,
    boolean artifactByForm,
    Optional<String> requestId,
    Instant receivedAt,
    Optional<String> relayState,
    RequestedNameId nameId,
    Optional<Integer> attributeService,
    boolean forceAuthn,
    boolean isPassive,
    Optional<RequestedAuthnContext> requestedAuthnContext,
    Optional<NameId> subject) {}
