package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.EncryptedElement;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads messages of the Redirect binding (SAML Bindings 3.4: the raw query is verified), the POST binding (3.5) and SOAP (3.2).
 * Parses once, with DOCTYPE, entities and XInclude refused and depth, size and attribute counts bounded. Checks schema and IDs
 * before signatures, and follows no reference in a message.
 *
 * <p>Messages that may come by browser or by SOAP are read by the same method: {@link Received#binding} says which, and the
 * response must take the same way. Call {@link #isSoap} before {@link #kind}. Responses to our own SOAP calls are read from the
 * bytes of the HTTP response; {@code common.backchannel} matches them to the request.
 */
public interface SamlReader {

  /**
   * Finds the metadata of a message's Issuer among the partners that may send such a message, or the reason why not. Also
   * provides the keys to which they may have encrypted.
   */
  interface PartnerLookup extends Function<String, Result<PartnerMetadata, SamlRefusal>> {

    /** Returns our keys, the most likely first; without any, encrypted elements are refused. */
    default List<DecryptionKey> decryption() {
      return List.of();
    }

    /**
     * Returns the plain octets of an element.
     *
     * @throws dev.gatehouse.common.saml.MessageRefused if none of our keys opens it
     */
    default byte[] decrypt(EncryptedElement encrypted) {
      return encrypted.decrypt(decryption());
    }

    /** Returns the same partners with those keys; the keys are requested only when something is encrypted. */
    default PartnerLookup decryptingWith(Supplier<List<DecryptionKey>> keys) {
      PartnerLookup partners = this;
      return new PartnerLookup() {
        @Override
        public Result<PartnerMetadata, SamlRefusal> apply(String issuer) {
          return partners.apply(issuer);
        }

        @Override
        public List<DecryptionKey> decryption() {
          return keys.get();
        }
      };
    }
  }

  /** Reads an AuthnRequest. A signature is verified if there is one, and required if the partner's metadata says so. */
  Result<Received<SamlMessage.AuthnRequest>, SamlRefusal> authnRequest(EdgeRequest request, PartnerLookup partners);

  /** Reads a LogoutRequest by Redirect, POST or SOAP; it must be signed. */
  Result<Received<SamlMessage.LogoutRequest>, SamlRefusal> logoutRequest(EdgeRequest request, PartnerLookup partners);

  /** Reads a LogoutResponse by Redirect or POST; it must be signed. */
  Result<Received<SamlMessage.LogoutResponse>, SamlRefusal> logoutResponse(EdgeRequest request, PartnerLookup partners);

  /** Reads a LogoutResponse in the response to a SOAP call; it must be signed. */
  Result<Received<SamlMessage.LogoutResponse>, SamlRefusal> logoutResponse(byte[] envelope, PartnerLookup partners);

  /** Reads a ManageNameIDRequest by Redirect, POST or SOAP; it must be signed. */
  Result<Received<SamlMessage.ManageNameIdRequest>, SamlRefusal> manageNameIdRequest(EdgeRequest request, PartnerLookup partners);

  /** Reads a ManageNameIDResponse by Redirect or POST; it must be signed. */
  Result<Received<SamlMessage.ManageNameIdResponse>, SamlRefusal> manageNameIdResponse(
      EdgeRequest request, PartnerLookup partners);

  /** Reads a ManageNameIDResponse in the response to a SOAP call; it must be signed. */
  Result<Received<SamlMessage.ManageNameIdResponse>, SamlRefusal> manageNameIdResponse(byte[] envelope, PartnerLookup partners);

  /** Reads an ArtifactResolve by SOAP. It must be signed, which authenticates its sender (SAML Profiles 5.3). */
  Result<Received<SamlMessage.ArtifactResolve>, SamlRefusal> artifactResolve(EdgeRequest request, PartnerLookup partners);

  /** Reads an ArtifactResponse in the response to a SOAP call; it must be signed. */
  Result<ReceivedArtifactResponse, SamlRefusal> artifactResponse(byte[] envelope, PartnerLookup partners);

  /**
   * Reads a Response by POST; the Response, or every Assertion that is returned, must be signed. Encrypted content is returned in
   * plain form; an EncryptedAssertion is treated as the Assertion in it.
   */
  Result<ReceivedResponse, SamlRefusal> response(EdgeRequest request, PartnerLookup partners);

  /** Reads an artifact by GET or POST (SAML Bindings 3.6.3). */
  Result<ReceivedArtifact, SamlRefusal> artifact(EdgeRequest request);

  /** Returns whether a request brings an artifact, judged only by parameter name. Call it before {@link #kind}. */
  static boolean isArtifact(EdgeRequest request) {
    var parameters = request.isGet() ? request.queryParameters() : request.formParameters();
    return parameters.one(SentMessage.ARTIFACT).isPresent();
  }

  /** Returns whether a request claims to be a SOAP envelope: a POST of text/xml or application/soap+xml. */
  static boolean isSoap(EdgeRequest request) {
    return SoapEnvelope.isIn(request);
  }

  /** Returns the kind of message that a request to an endpoint carries, judged only by parameter name. */
  static Optional<Kind> kind(EdgeRequest request) {
    var parameters = request.isGet() ? request.queryParameters() : request.formParameters();
    boolean asks = parameters.one("SAMLRequest").isPresent();
    boolean answers = parameters.one("SAMLResponse").isPresent();
    return asks == answers ? Optional.empty() : Optional.of(asks ? Kind.REQUEST : Kind.RESPONSE);
  }

  /** Request or response. */
  enum Kind {
    REQUEST,
    RESPONSE
  }
}
