package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.ISSUER_MISMATCH;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.PARTNER_UNKNOWN;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_MALFORMED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_MISSING;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.UNEXPECTED_MESSAGE;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAML;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAMLP;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.signature.EnvelopedSignature;
import dev.gatehouse.common.saml.xml.BoundedTree;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.HardenedParser;
import dev.gatehouse.common.trace.RequestTrace;
import io.opentelemetry.api.trace.SpanKind;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * Accepts exactly what the specifications' schemas and the one allowed form of signature permit. It checks in this order:
 * transport, parsing, structure, version, Issuer and its keys, signatures. Only then it reads the contents, from the very elements
 * whose canonical form was verified.
 *
 * <p>Keys come from the partner's metadata and are valid whatever the dates on their certificates say, because metadata is the
 * trust anchor (SAML V2.0 Metadata Interoperability Profile 2.6.1).
 */
public final class StrictSamlReader implements SamlReader {

  private static final BoundedTree.Limits LIMITS = new BoundedTree.Limits(40, 5_000, 64);

  private final HardenedParser parser = new HardenedParser(Transport.MAX_BYTES, LIMITS);

  @Override
  public Result<Received<AuthnRequest>, SamlRefusal> authnRequest(EdgeRequest request, PartnerLookup partners) {
    return reading(
        "AuthnRequest",
        claimed -> {
          SentMessage sent = fromBrowser(request, "SAMLRequest");
          Element root = open(sent, "AuthnRequest", claimed);
          PartnerMetadata.SpRole sender =
              partner(root, partners)
                  .sp()
                  .orElseThrow(() -> new MessageRefused(PARTNER_UNKNOWN, "the Issuer is no service provider"));
          boolean signed = verify(sent, root, keys(sender.signing().stream()));
          if (!signed && sender.authnRequestsSigned()) {
            throw new MessageRefused(
                SIGNATURE_MISSING, "the partner's metadata says that its AuthnRequests are signed");
          }
          if (signed) {
            new MessageDecryption(root, partners, parser).message(root);
          }
          return new Received<>(ProtocolElements.authnRequest(root), sent.binding(), signed, sent.relayState());
        });
  }

  @Override
  public Result<Received<LogoutRequest>, SamlRefusal> logoutRequest(EdgeRequest request, PartnerLookup partners) {
    return signed(
        () -> SentMessage.of(request, "SAMLRequest"), "LogoutRequest", partners, ProtocolElements::logoutRequest);
  }

  @Override
  public Result<Received<LogoutResponse>, SamlRefusal> logoutResponse(EdgeRequest request, PartnerLookup partners) {
    return signed(
        () -> fromBrowser(request, "SAMLResponse"), "LogoutResponse", partners, ProtocolElements::logoutResponse);
  }

  @Override
  public Result<Received<LogoutResponse>, SamlRefusal> logoutResponse(byte[] envelope, PartnerLookup partners) {
    return signed(
        () -> SentMessage.inSoap(envelope), "LogoutResponse", partners, ProtocolElements::logoutResponse);
  }

  @Override
  public Result<Received<ManageNameIdRequest>, SamlRefusal> manageNameIdRequest(EdgeRequest request, PartnerLookup partners) {
    return signed(
        () -> SentMessage.of(request, "SAMLRequest"),
        "ManageNameIDRequest",
        partners,
        ProtocolElements::manageNameIdRequest);
  }

  @Override
  public Result<Received<ManageNameIdResponse>, SamlRefusal> manageNameIdResponse(EdgeRequest request, PartnerLookup partners) {
    return signed(
        () -> fromBrowser(request, "SAMLResponse"),
        "ManageNameIDResponse",
        partners,
        ProtocolElements::manageNameIdResponse);
  }

  @Override
  public Result<Received<ManageNameIdResponse>, SamlRefusal> manageNameIdResponse(byte[] envelope, PartnerLookup partners) {
    return signed(
        () -> SentMessage.inSoap(envelope), "ManageNameIDResponse", partners, ProtocolElements::manageNameIdResponse);
  }

  @Override
  public Result<ReceivedArtifact, SamlRefusal> artifact(EdgeRequest request) {
    return reading("artifact", claimed -> SentMessage.artifact(request));
  }

  @Override
  public Result<Received<ArtifactResolve>, SamlRefusal> artifactResolve(EdgeRequest request, PartnerLookup partners) {
    return signed(
        () -> {
          if (!SoapEnvelope.isIn(request)) {
            throw new MessageRefused(UNEXPECTED_MESSAGE, "an ArtifactResolve comes by SOAP (SAML Profiles 5.2)");
          }
          return SentMessage.inSoap(request.body());
        },
        "ArtifactResolve",
        partners,
        ProtocolElements::artifactResolve);
  }

  @Override
  public Result<ReceivedArtifactResponse, SamlRefusal> artifactResponse(byte[] envelope, PartnerLookup partners) {
    return reading(
        "ArtifactResponse",
        claimed -> {
          SentMessage sent = SentMessage.inSoap(envelope);
          Element root = open(sent, "ArtifactResponse", claimed);
          Element last = Dom.children(root).getLast();
          Optional<Element> carried = Dom.is(last, SAMLP, "Status") ? Optional.empty() : Optional.of(last);
          List<PublicKey> keys = keys(certificates(partner(root, partners), carried.map(Element::getLocalName)));
          if (!verify(sent, root, keys)) {
            throw new MessageRefused(SIGNATURE_MISSING, "the ArtifactResponse is not signed");
          }
          MessageDecryption decryption = new MessageDecryption(root, partners, parser);
          return new ReceivedArtifactResponse(
              ProtocolElements.artifactResponse(root),
              carried.map(message -> carried(root, message, keys, decryption)));
        });
  }

  /** Reads the message in an ArtifactResponse whose signature was verified: the signature covers the message. */
  private static SamlMessage carried(
      Element root, Element message, List<PublicKey> keys, MessageDecryption decryption) {
    ProtocolElements.checkVersion(message);
    if (!ProtocolElements.issuer(message).equals(ProtocolElements.issuer(root))) {
      throw new MessageRefused(ISSUER_MISMATCH, "the carried message's Issuer is not the ArtifactResponse's");
    }
    verifyEnveloped(message, keys);
    decryption.message(message);
    return switch (message.getLocalName()) {
      case "Response" -> ProtocolElements.response(message, assertions(message, true, keys, decryption));
      case "AuthnRequest" -> ProtocolElements.authnRequest(message);
      case "LogoutRequest" -> ProtocolElements.logoutRequest(message);
      case "LogoutResponse" -> ProtocolElements.logoutResponse(message);
      case "ManageNameIDRequest" -> ProtocolElements.manageNameIdRequest(message);
      case "ManageNameIDResponse" -> ProtocolElements.manageNameIdResponse(message);
      // The grammar permits no other message.
      case String other -> throw new MessageRefused(UNEXPECTED_MESSAGE, "an artifact for " + other);
    };
  }

  @Override
  public Result<ReceivedResponse, SamlRefusal> response(EdgeRequest request, PartnerLookup partners) {
    return reading(
        "Response",
        claimed -> {
          SentMessage sent = fromBrowser(request, "SAMLResponse");
          if (sent.binding() != Binding.POST) {
            throw new MessageRefused(UNEXPECTED_MESSAGE, "a Response may not come by Redirect (SAML Profiles 4.1.2)");
          }
          Element root = open(sent, "Response", claimed);
          PartnerMetadata.IdpRole sender =
              partner(root, partners)
                  .idp()
                  .orElseThrow(() -> new MessageRefused(PARTNER_UNKNOWN, "the Issuer is no identity provider"));
          List<PublicKey> keys = keys(sender.signing().stream());
          boolean signed = verify(sent, root, keys);
          MessageDecryption decryption = new MessageDecryption(root, partners, parser);
          List<Assertion> assertions = assertions(root, signed, keys, decryption);
          return new ReceivedResponse(
              ProtocolElements.response(root, assertions), signed, sent.binding(), sent.relayState());
        });
  }

  /**
   * Returns the assertions of a Response: all of them if the Response is signed; otherwise each must be signed itself. A signature
   * of an assertion is verified in any case.
   */
  private static List<Assertion> assertions(
      Element response, boolean responseSigned, List<PublicKey> keys, MessageDecryption decryption) {
    String issuer = ProtocolElements.issuer(response);
    List<Assertion> assertions = new ArrayList<>();
    for (Element child : Dom.children(response)) {
      boolean encrypted = Dom.is(child, SAML, "EncryptedAssertion");
      if (!encrypted && !Dom.is(child, SAML, "Assertion")) {
        continue;
      }
      Element element = encrypted ? decryption.assertion(child) : child;
      ProtocolElements.checkVersion(element);
      if (!verifyEnveloped(element, keys) && !responseSigned) {
        throw new MessageRefused(SIGNATURE_MISSING, "neither Response nor Assertion is signed");
      }
      decryption.inside(element);
      Assertion assertion = AssertionElements.assertion(element);
      if (!assertion.issuer().equals(issuer)) {
        throw new MessageRefused(ISSUER_MISMATCH, "the Assertion's Issuer is not the Response's");
      }
      assertions.add(assertion);
    }
    if (!responseSigned && assertions.isEmpty()) {
      throw new MessageRefused(SIGNATURE_MISSING, "an unsigned Response without Assertion");
    }
    return List.copyOf(assertions);
  }

  private <M extends SamlMessage> Result<Received<M>, SamlRefusal> signed(
      Supplier<SentMessage> receive, String name, PartnerLookup partners, Function<Element, M> read) {
    return reading(
        name,
        claimed -> {
          SentMessage sent = receive.get();
          Element root = open(sent, name, claimed);
          if (!verify(sent, root, keys(certificates(partner(root, partners), Optional.of(name))))) {
            throw new MessageRefused(SIGNATURE_MISSING, name + " is not signed");
          }
          new MessageDecryption(root, partners, parser).message(root);
          return new Received<>(read.apply(root), sent.binding(), true, sent.relayState());
        });
  }

  private static SentMessage fromBrowser(EdgeRequest request, String parameter) {
    SentMessage sent = SentMessage.of(request, parameter);
    if (sent.binding() == Binding.SOAP) {
      throw new MessageRefused(UNEXPECTED_MESSAGE, "a SOAP request where browsers bring " + parameter);
    }
    return sent;
  }

  private Element open(SentMessage sent, String name, ClaimedIssuer claimed) {
    Element document = parser.parse(sent.document()).getDocumentElement();
    Element root = sent.binding() == Binding.SOAP ? SoapEnvelope.message(document) : document;
    claimed.note(root);
    if (!Dom.is(root, SAMLP, name)) {
      throw new MessageRefused(UNEXPECTED_MESSAGE, Dom.name(root) + " where " + name + " is expected");
    }
    SamlGrammars.MESSAGES.check(root);
    ProtocolElements.checkVersion(root);
    return root;
  }

  private static PartnerMetadata partner(Element root, PartnerLookup partners) {
    return switch (partners.apply(ProtocolElements.issuer(root))) {
      case Result.Accepted(PartnerMetadata metadata) -> metadata;
      case Result.Refused(SamlRefusal refusal) ->
          throw new MessageRefused(refusal.reason(), refusal.detail());
    };
  }

  /** Returns certificates of the role that sends such messages; of all roles of the sender if both do. */
  private static Stream<X509Certificate> certificates(PartnerMetadata partner, Optional<String> name) {
    boolean idpAlone = name.filter("Response"::equals).isPresent();
    boolean spAlone = name.filter("AuthnRequest"::equals).isPresent();
    return Stream.concat(
        spAlone ? Stream.empty() : partner.idp().stream().flatMap(role -> role.signing().stream()),
        idpAlone ? Stream.empty() : partner.sp().stream().flatMap(role -> role.signing().stream()));
  }

  /** Verifies the binding's or the message's signature; returns false if there is none. */
  private static boolean verify(SentMessage sent, Element root, List<PublicKey> keys) {
    if (sent.binding() != Binding.REDIRECT) {
      return verifyEnveloped(root, keys);
    }
    if (EnvelopedSignature.of(root).isPresent()) {
      throw new MessageRefused(SIGNATURE_MALFORMED, "a Signature element inside a Redirect message");
    }
    sent.querySignature().ifPresent(signature -> verifying(() -> signature.verify(keys)));
    return sent.querySignature().isPresent();
  }

  private static boolean verifyEnveloped(Element element, List<PublicKey> keys) {
    Optional<EnvelopedSignature> signature = EnvelopedSignature.of(element);
    signature.ifPresent(found -> verifying(() -> found.verify(element, keys)));
    return signature.isPresent();
  }

  private static void verifying(Runnable check) {
    RequestTrace.<Boolean, RuntimeException>inSpan(
        "saml verify",
        SpanKind.INTERNAL,
        span -> {
          check.run();
          return true;
        });
  }

  private static List<PublicKey> keys(Stream<X509Certificate> certificates) {
    return certificates.map(X509Certificate::getPublicKey).distinct().toList();
  }

  /** @param expected what is read, for the span */
  private static <T> Result<T, SamlRefusal> reading(String expected, Function<ClaimedIssuer, T> read) {
    return RequestTrace.inSpan(
        "saml read",
        SpanKind.INTERNAL,
        span -> {
          span.setAttribute("gatehouse.saml.message", expected);
          ClaimedIssuer claimed = new ClaimedIssuer();
          try {
            return new Result.Accepted<>(read.apply(claimed));
          } catch (MessageRefused e) {
            span.setAttribute("gatehouse.refusal", e.refusal().reason().name());
            return new Result.Refused<>(claimed.value.map(e.refusal()::claimedBy).orElse(e.refusal()));
          }
        });
  }

  /** The Issuer that a message claims, trusted or not; administrators search for it in the log. */
  private static final class ClaimedIssuer {

    private Optional<String> value = Optional.empty();

    void note(Element root) {
      value = Dom.child(root, SAML, "Issuer").map(Element::getTextContent).map(String::strip).filter(text -> !text.isEmpty());
    }
  }
}
