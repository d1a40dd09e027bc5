package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import java.time.Instant;
import java.util.Optional;

/**
 * An accepted sign-on request: all data that are needed to answer it, whoever the person is.
 *
 * @param partner entity ID of the service provider
 * @param consumer one of its services, listed in its metadata
 * @param artifactByForm whether an artifact travels in a form instead of an address
 * @param requestId ID of its AuthnRequest; empty for IdP-initiated sign-on
 * @param receivedAt the time of receipt
 * @param relayState returned unchanged
 * @param attributeService index of the AttributeConsumingService in its metadata that lists the requested attributes
 * @param subject the person whom the service provider demands, if it names one
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
