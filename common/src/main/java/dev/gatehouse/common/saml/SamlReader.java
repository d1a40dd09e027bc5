package dev.gatehouse.common.saml;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.DecryptionKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads messages off the Redirect binding (SAML Bindings 3.4: the raw query is verified), the POST binding (3.5) and
 * SOAP (3.2). Parses once with DOCTYPE, entities and XInclude refused and depth, size and attribute counts bounded;
 * checks schema and IDs before signatures; follows nothing that a message names.
 *
 * <p>What browsers bring and what comes by SOAP is read by the same method where both may be: {@link Received#binding}
 * tells, and what is answered must go the same way. {@link #isSoap} is asked before {@link #kind}. Answers to our own
 * SOAP calls are read from the bytes of the HTTP answer, and are matched to the request by {@code common.backchannel}.
 */
public interface SamlReader {

  /**
   * Finds the metadata of a message's Issuer among the partners that may send such a message, or says why not; and
   * knows the keys to which they may have encrypted.
   */
  interface PartnerLookup extends Function<String, Reading<PartnerMetadata>> {

    /** Our keys, the likeliest first; none: encrypted elements are refused. */
    default List<DecryptionKey> decryption() {
      return List.of();
    }

    /** The same partners, with those keys; they are asked for when something is encrypted. */
    default PartnerLookup decryptingWith(Supplier<List<DecryptionKey>> keys) {
      PartnerLookup partners = this;
      return new PartnerLookup() {
        @Override
        public Reading<PartnerMetadata> apply(String issuer) {
          return partners.apply(issuer);
        }

        @Override
        public List<DecryptionKey> decryption() {
          return keys.get();
        }
      };
    }
  }

  /** An AuthnRequest; a signature is verified if there is one, and demanded if the partner's metadata says so. */
  Reading<Received<SamlMessage.AuthnRequest>> authnRequest(EdgeRequest request, PartnerLookup partners);

  /** A LogoutRequest by Redirect, POST or SOAP; always signed. */
  Reading<Received<SamlMessage.LogoutRequest>> logoutRequest(EdgeRequest request, PartnerLookup partners);

  /** A LogoutResponse by Redirect or POST; always signed. */
  Reading<Received<SamlMessage.LogoutResponse>> logoutResponse(EdgeRequest request, PartnerLookup partners);

  /** A LogoutResponse in the answer to a SOAP call; always signed. */
  Reading<Received<SamlMessage.LogoutResponse>> logoutResponse(byte[] envelope, PartnerLookup partners);

  /** A ManageNameIDRequest by Redirect, POST or SOAP; always signed. */
  Reading<Received<SamlMessage.ManageNameIdRequest>> manageNameIdRequest(EdgeRequest request, PartnerLookup partners);

  /** A ManageNameIDResponse by Redirect or POST; always signed. */
  Reading<Received<SamlMessage.ManageNameIdResponse>> manageNameIdResponse(
      EdgeRequest request, PartnerLookup partners);

  /** A ManageNameIDResponse in the answer to a SOAP call; always signed. */
  Reading<Received<SamlMessage.ManageNameIdResponse>> manageNameIdResponse(byte[] envelope, PartnerLookup partners);

  /** An ArtifactResolve by SOAP; always signed, which is how its sender is authenticated (SAML Profiles 5.3). */
  Reading<Received<SamlMessage.ArtifactResolve>> artifactResolve(EdgeRequest request, PartnerLookup partners);

  /** An ArtifactResponse in the answer to a SOAP call; always signed. */
  Reading<ReceivedArtifactResponse> artifactResponse(byte[] envelope, PartnerLookup partners);

  /**
   * A Response by POST; the Response, or every Assertion that is returned, is signed. What is encrypted is returned in
   * plain form; an EncryptedAssertion counts as the Assertion in it does.
   */
  Reading<ReceivedResponse> response(EdgeRequest request, PartnerLookup partners);

  /** An artifact by GET or POST (SAML Bindings 3.6.3). */
  Reading<ReceivedArtifact> artifact(EdgeRequest request);

  /** Whether a request brings an artifact, judged by parameter name only. Asked before {@link #kind}. */
  static boolean isArtifact(EdgeRequest request) {
    var parameters = request.isGet() ? request.queryParameters() : request.formParameters();
    return parameters.one(SentMessage.ARTIFACT).isPresent();
  }

  /** Whether a request says that it is a SOAP envelope: a POST of text/xml or application/soap+xml. */
  static boolean isSoap(EdgeRequest request) {
    return SoapEnvelope.isIn(request);
  }

  /** Which kind of message a request to an endpoint carries, judged by parameter name only. */
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
