package dev.gatehouse.common.saml;

import dev.gatehouse.common.http.EdgeRequest;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads messages off the Redirect binding (SAML Bindings 3.4: the raw query is verified) and the POST binding (3.5).
 * Parses once with DOCTYPE, entities and XInclude refused and depth, size and attribute counts bounded; checks
 * schema and IDs before signatures; follows nothing that a message names.
 */
public interface SamlReader {

  /** Finds the metadata of a message's Issuer among the partners that may send such a message, or says why not. */
  interface PartnerLookup extends Function<String, Reading<PartnerMetadata>> {}

  /** An AuthnRequest; a signature is verified if there is one, and demanded if the partner's metadata says so. */
  Reading<Received<SamlMessage.AuthnRequest>> authnRequest(EdgeRequest request, PartnerLookup partners);

  /** A LogoutRequest; always signed. */
  Reading<Received<SamlMessage.LogoutRequest>> logoutRequest(EdgeRequest request, PartnerLookup partners);

  /** A LogoutResponse; always signed. */
  Reading<Received<SamlMessage.LogoutResponse>> logoutResponse(EdgeRequest request, PartnerLookup partners);

  /** A Response by POST; the Response, or every Assertion that is returned, is signed. */
  Reading<ReceivedResponse> response(EdgeRequest request, PartnerLookup partners);

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
