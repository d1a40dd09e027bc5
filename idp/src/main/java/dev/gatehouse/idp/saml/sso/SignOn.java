package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import java.time.Instant;
import java.util.Optional;

/**
 * An accepted sign-on request: all data that are needed to answer it, whoever the person is.
 *
 * @param partner entity ID of the service provider
 * @param receivedAt the time of receipt
 * @param attributeService index of the AttributeConsumingService in its metadata that lists the requested attributes
 */
public record SignOn(
    String realm,
    String partner,
    Delivery delivery,
    Instant receivedAt,
    RequestedNameId nameId,
    Optional<Integer> attributeService,
    Authentication authentication) {

  /**
   * The delivery of the Response.
   *
   * @param consumer one of its services, listed in its metadata
   * @param artifactByForm whether an artifact travels in a form instead of an address
   * @param requestId ID of its AuthnRequest; empty for IdP-initiated sign-on
   * @param relayState returned unchanged
   */
  public record Delivery(
      ConsumerService consumer, boolean artifactByForm, Optional<String> requestId, Optional<String> relayState) {}

  /**
   * The demands on the authentication (SAML Core 3.4.1).
   *
   * @param subject the person whom the service provider demands, if it names one
   */
  public record Authentication(
      boolean forceAuthn,
      boolean isPassive,
      Optional<RequestedAuthnContext> requestedAuthnContext,
      Optional<NameId> subject) {

    /** Any authentication is sufficient. */
    public static final Authentication ANY =
        new Authentication(false, false, Optional.empty(), Optional.empty());
  }
}
