package dev.gatehouse.common.saml.message;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Protocol messages (SAML Core 3) as values. A reader has checked or refused all content that these records omit. */
public sealed interface SamlMessage {

  /** The version that is written. */
  String VERSION = "2.0";

  String id();

  Instant issueInstant();

  String issuer();

  Optional<String> destination();

  /** A response (SAML Core 3.2.2). */
  sealed interface StatusResponse extends SamlMessage {

    Optional<String> inResponseTo();

    SamlStatus status();
  }

  /**
   * An AuthnRequest (SAML Core 3.4.1).
   *
   * @param version as sent; only AuthnRequests are returned with other versions than 2.0, so that they can be answered
   */
  record AuthnRequest(
      String id,
      String version,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Delivery delivery,
      Optional<Integer> attributeConsumingServiceIndex,
      Optional<NameIdPolicy> nameIdPolicy,
      Authentication authentication,
      Optional<NameId> subject)
      implements SamlMessage {

    /** The place to which the Response is to be sent: by address and binding, or by index. */
    public record Delivery(
        Optional<String> assertionConsumerServiceUrl,
        Optional<Integer> assertionConsumerServiceIndex,
        Optional<String> protocolBinding) {}

    /**
     * The authentication that is requested.
     *
     * @param idpList of the Scoping: the only identity providers that may answer; empty if it names none, or not all
     */
    public record Authentication(
        boolean forceAuthn, boolean isPassive, Optional<RequestedAuthnContext> requestedAuthnContext, List<String> idpList) {}
  }

  /** A NameIDPolicy (SAML Core 3.4.1.1). */
  record NameIdPolicy(Optional<String> format, Optional<String> spNameQualifier, boolean allowCreate) {}

  /**
   * A RequestedAuthnContext (SAML Core 3.3.2.2.1): classes or declarations, never both.
   *
   * @param comparison exact, minimum, maximum or better
   */
  record RequestedAuthnContext(String comparison, List<String> classRefs, List<String> declRefs) {

    public static RequestedAuthnContext classes(String comparison, List<String> classRefs) {
      return new RequestedAuthnContext(comparison, classRefs, List.of());
    }
  }

  /**
   * A Response (SAML Core 3.3.3).
   *
   * @param consent one of the URIs of SAML Core 8.4, if the person was asked
   */
  record Response(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<String> inResponseTo,
      Optional<String> consent,
      SamlStatus status,
      List<Assertion> assertions)
      implements StatusResponse {

    /** The person agreed during this sign-on (SAML Core 8.4.5). */
    public static final String CONSENT_NOW = "urn:oasis:names:tc:SAML:2.0:consent:current-explicit";

    /** The person agreed at an earlier time (SAML Core 8.4.3). */
    public static final String CONSENT_BEFORE = "urn:oasis:names:tc:SAML:2.0:consent:prior";

    /** Creates a response without consent. */
    public Response(
        String id,
        Instant issueInstant,
        String issuer,
        Optional<String> destination,
        Optional<String> inResponseTo,
        SamlStatus status,
        List<Assertion> assertions) {
      this(id, issueInstant, issuer, destination, inResponseTo, Optional.empty(), status, assertions);
    }
  }

  /**
   * A LogoutRequest (SAML Core 3.7.1).
   *
   * @param reason a URI
   */
  record LogoutRequest(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<Instant> notOnOrAfter,
      Optional<String> reason,
      NameId nameId,
      List<String> sessionIndexes)
      implements SamlMessage {

    /** Creates a request without reason. */
    public LogoutRequest(
        String id,
        Instant issueInstant,
        String issuer,
        Optional<String> destination,
        Optional<Instant> notOnOrAfter,
        NameId nameId,
        List<String> sessionIndexes) {
      this(id, issueInstant, issuer, destination, notOnOrAfter, Optional.empty(), nameId, sessionIndexes);
    }
  }

  /** A LogoutResponse (SAML Core 3.7.2). */
  record LogoutResponse(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<String> inResponseTo,
      SamlStatus status)
      implements StatusResponse {}

  /**
   * A ManageNameIDRequest (SAML Core 3.6.1).
   *
   * @param nameId the present name of the person between the two parties
   */
  record ManageNameIdRequest(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      NameId nameId,
      Change change)
      implements SamlMessage {

    /** The change of the name. */
    public sealed interface Change {
      /** NewID: from an SP the new SPProvidedID, from an IdP the new identifier itself (SAML Core 3.6.3). */
      record NewId(String value) implements Change {}

      /** The federation of this person ends. */
      record Terminate() implements Change {}
    }
  }

  /** A ManageNameIDResponse (SAML Core 3.6.2). */
  record ManageNameIdResponse(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<String> inResponseTo,
      SamlStatus status)
      implements StatusResponse {}

  /**
   * An ArtifactResolve (SAML Core 3.5.1).
   *
   * @param artifact as received, base64
   */
  record ArtifactResolve(
      String id, Instant issueInstant, String issuer, Optional<String> destination, String artifact)
      implements SamlMessage {}

  /** An ArtifactResponse (SAML Core 3.5.2), without the message inside: see {@link ReceivedArtifactResponse}. */
  record ArtifactResponse(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<String> inResponseTo,
      SamlStatus status)
      implements StatusResponse {}
}
