package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.NO_MESSAGE;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.PARAMETERS_MALFORMED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.RELAY_STATE_TOO_LONG;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_INVALID;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_MALFORMED;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.Parameters.Parameter;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.signature.Crypto;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;

/**
 * A message as transported by a binding, not yet parsed.
 *
 * @param querySignature the signature of the Redirect binding, unverified
 */
record SentMessage(
    Binding binding, byte[] document, Optional<String> relayState, Optional<QuerySignature> querySignature) {

  /** The parameter of an artifact (SAML Bindings 3.6.3). */
  static final String ARTIFACT = "SAMLart";

  private static final String DEFLATE_ENCODING = "urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE";
  private static final int MAX_RELAY_STATE_BYTES = 1024;

  /**
   * Reads a message from a SOAP envelope if the body is one, otherwise from a parameter, SAMLRequest or SAMLResponse; throws
   * {@link MessageRefused}.
   */
  static SentMessage of(EdgeRequest request, String parameter) {
    if (SoapEnvelope.isIn(request)) {
      return inSoap(request.body());
    }
    try {
      return request.isGet()
          ? fromRedirect(request.queryParameters(), parameter)
          : fromPost(request.formParameters(), parameter);
    } catch (Parameters.Malformed e) {
      throw new MessageRefused(PARAMETERS_MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  static SentMessage inSoap(byte[] envelope) {
    return new SentMessage(Binding.SOAP, envelope, Optional.empty(), Optional.empty());
  }

  static ReceivedArtifact artifact(EdgeRequest request) {
    try {
      Parameters parameters = request.isGet() ? request.queryParameters() : request.formParameters();
      if (parameters.one("SAMLRequest").isPresent() || parameters.one("SAMLResponse").isPresent()) {
        throw new MessageRefused(NO_MESSAGE, "a message beside an artifact");
      }
      String value =
          parameters
              .one(ARTIFACT)
              .filter(artifact -> !artifact.isEmpty())
              .orElseThrow(() -> new MessageRefused(NO_MESSAGE, "no " + ARTIFACT));
      return switch (Artifact.parse(value)) {
        case Result.Accepted(Artifact artifact) -> new ReceivedArtifact(artifact, relayState(parameters));
        case Result.Refused(SamlRefusal refusal) ->
            throw new MessageRefused(refusal.reason(), refusal.detail());
      };
    } catch (Parameters.Malformed e) {
      throw new MessageRefused(PARAMETERS_MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private static SentMessage fromPost(Parameters form, String parameter) {
    String value = message(form, parameter).value();
    return new SentMessage(
        Binding.POST, Transport.fromPost(value), relayState(form), Optional.empty());
  }

  private static SentMessage fromRedirect(Parameters query, String parameter) {
    Parameter message = message(query, parameter);
    if (!query.one("SAMLEncoding").orElse(DEFLATE_ENCODING).equals(DEFLATE_ENCODING)) {
      throw new MessageRefused(PARAMETERS_MALFORMED, "an unknown SAMLEncoding");
    }
    return new SentMessage(
        Binding.REDIRECT,
        Transport.fromRedirect(message.value()),
        relayState(query),
        QuerySignature.of(query, parameter, message));
  }

  private static Parameter message(Parameters parameters, String name) {
    String other = name.equals("SAMLRequest") ? "SAMLResponse" : "SAMLRequest";
    if (parameters.one(other).isPresent()) {
      throw new MessageRefused(NO_MESSAGE, other + " where " + name + " is expected");
    }
    return parameters
        .oneParameter(name)
        .filter(parameter -> !parameter.value().isEmpty())
        .orElseThrow(() -> new MessageRefused(NO_MESSAGE, "no " + name));
  }

  private static Optional<String> relayState(Parameters parameters) {
    Optional<String> relayState = parameters.one("RelayState").filter(value -> !value.isEmpty());
    if (relayState.isPresent() && relayState.get().getBytes(StandardCharsets.UTF_8).length > MAX_RELAY_STATE_BYTES) {
      throw new MessageRefused(RELAY_STATE_TOO_LONG, "a RelayState of more than " + MAX_RELAY_STATE_BYTES + " bytes");
    }
    return relayState;
  }

  /**
   * The signature of the Redirect binding: over the parameters as the sender encoded them, in the order that the binding
   * prescribes, whatever their order in the URL (SAML Bindings 3.4.4.1).
   *
   * @param method SigAlg as sent; it is checked only after the message is parsed, so that the refusal can name the Issuer
   */
  record QuerySignature(String method, String octets, byte[] value) {

    static Optional<QuerySignature> of(Parameters query, String name, Parameter message) {
      Optional<Parameter> algorithm = query.oneParameter("SigAlg");
      Optional<Parameter> signature = query.oneParameter("Signature");
      if (algorithm.isEmpty() && signature.isEmpty()) {
        return Optional.empty();
      }
      if (algorithm.isEmpty() || signature.isEmpty()) {
        throw new MessageRefused(SIGNATURE_MALFORMED, "SigAlg and Signature belong together");
      }
      StringBuilder octets = new StringBuilder().append(name).append('=').append(message.rawValue());
      query.oneParameter("RelayState").ifPresent(state -> octets.append("&RelayState=").append(state.rawValue()));
      octets.append("&SigAlg=").append(algorithm.get().rawValue());
      return Optional.of(
          new QuerySignature(
              algorithm.get().value(),
              octets.toString(),
              XmlValues.wrappedBase64(signature.get().value())
                  .orElseThrow(() -> new MessageRefused(SIGNATURE_MALFORMED, "Signature is not base64"))));
    }

    void verify(List<PublicKey> keys) {
      SignatureAlgorithm algorithm = SignatureAlgorithm.offered(method);
      List<PublicKey> fitting = algorithm.fitting(keys);
      byte[] content = octets.getBytes(StandardCharsets.UTF_8);
      if (fitting.stream().noneMatch(key -> Crypto.verifies(algorithm, key, content, value))) {
        throw new MessageRefused(SIGNATURE_INVALID, "no key of the metadata has signed the query");
      }
    }
  }
}
