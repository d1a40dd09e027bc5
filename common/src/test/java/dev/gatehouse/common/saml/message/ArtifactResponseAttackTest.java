package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResponse;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.signature.SignatureWrappingTest;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * An ArtifactResponse has up to three legitimate signatures, one inside the other (SECURITY-CASES 1): none of them may
 * be taken for another's, and the outermost must be there.
 */
class ArtifactResponseAttackTest {

  private static final SamlWriter WRITER = new CanonicalSamlWriter();
  private static final String SAMLP = XmlNamespace.SAMLP.uri();

  private final SamlReader reader = new StrictSamlReader();

  static String envelope(Signed signed) {
    return envelope(signed, SamlFixtures.idpKey());
  }

  private static String envelope(Signed signed, SigningKey outerKey) {
    var inner = WRITER.write(SamlFixtures.response(Optional.of("_request-1")), SamlFixtures.idpKey(), signed);
    var outer =
        new ArtifactResponse(
            "_a2", SamlFixtures.NOW, SamlFixtures.IDP, Optional.empty(), Optional.of("_a1"), SamlStatus.success());
    return new String(WRITER.soap(outer, Optional.of(inner), outerKey), StandardCharsets.UTF_8);
  }

  private Result<ReceivedArtifactResponse, SamlRefusal> read(String envelope, PartnerMetadata... partners) {
    return reader.artifactResponse(envelope.getBytes(StandardCharsets.UTF_8), SamlFixtures.partners(partners));
  }

  private Result<ReceivedArtifactResponse, SamlRefusal> read(Document envelope) {
    return read(Forgery.write(envelope), SamlFixtures.idpMetadata());
  }

  interface Shape {
    void apply(Document document, Element outer, Element inner);
  }

  static Stream<Arguments> shapes() {
    return Stream.of(
        shape("no outer signature", Reason.SIGNATURE_MISSING, (d, outer, inner) -> outer.removeChild(signature(outer))),
        shape("the inner signature outside", Reason.SIGNATURE_REFERENCE,
            (d, outer, inner) -> outer.replaceChild(signature(inner), signature(outer))),
        shape("the outer signature inside", Reason.SIGNATURE_MISSING,
            (d, outer, inner) -> inner.replaceChild(signature(outer), signature(inner))),
        shape("both signatures outside", Reason.SCHEMA,
            (d, outer, inner) -> outer.insertBefore(signature(inner), signature(outer))),
        shape("another person inside", Reason.SIGNATURE_INVALID,
            (d, outer, inner) -> SignatureWrappingTest.forge(inner)),
        shape("a forged message before the signed one", Reason.SCHEMA,
            (d, outer, inner) -> outer.insertBefore(forged(inner), inner)),
        shape("a forged message behind the signed one", Reason.SCHEMA,
            (d, outer, inner) -> outer.appendChild(forged(inner))),
        shape("a forged message, the signed one in Extensions", Reason.SCHEMA,
            (d, outer, inner) -> {
              Element extensions = d.createElementNS(SAMLP, "saml2p:Extensions");
              outer.replaceChild(forged(inner), inner);
              outer.insertBefore(extensions, signature(outer).getNextSibling());
              extensions.appendChild(inner);
            }),
        shape("a forged message, the signed one in StatusDetail", Reason.SCHEMA,
            (d, outer, inner) -> {
              Element detail = d.createElementNS(SAMLP, "saml2p:StatusDetail");
              outer.replaceChild(forged(inner), inner);
              outer.getElementsByTagNameNS(SAMLP, "Status").item(0).appendChild(detail);
              detail.appendChild(inner);
            }),
        shape("the signed one in the signature of a forged one", Reason.SIGNATURE_MALFORMED,
            (d, outer, inner) -> {
              Node original = SignatureWrappingTest.original(outer);
              SignatureWrappingTest.forge(outer);
              signature(outer).appendChild(original);
            }),
        shape("the signed one inside a forged one", Reason.SCHEMA,
            (d, outer, inner) -> {
              Element around = (Element) outer.cloneNode(true);
              SignatureWrappingTest.forge(around);
              around.replaceChild(outer.cloneNode(true), around.getLastChild());
              outer.getParentNode().replaceChild(around, outer);
            }),
        shape("the signed one beside a forged one", Reason.SOAP_MALFORMED,
            (d, outer, inner) -> {
              Element copy = (Element) outer.cloneNode(true);
              outer.getParentNode().insertBefore(SignatureWrappingTest.forge(copy), outer);
            }),
        shape("the signed one in a header, a forged one in the body", Reason.SIGNATURE_REFERENCE,
            (d, outer, inner) -> {
              Element header = d.createElementNS(XmlNamespace.SOAP11.uri(), "soap11:Header");
              Element body = (Element) outer.getParentNode();
              body.getParentNode().insertBefore(header, body);
              body.replaceChild(SignatureWrappingTest.forge((Element) outer.cloneNode(true)), outer);
              header.appendChild(outer);
            }),
        shape("the inner message alone in the body", Reason.UNEXPECTED_MESSAGE,
            (d, outer, inner) -> outer.getParentNode().replaceChild(inner, outer)));
  }

  private static Arguments shape(String name, Reason reason, Shape shape) {
    return Arguments.of(Named.of(name, shape), reason);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void wrapped(Shape shape, Reason reason) {
    Document document = Forgery.parse(envelope(Signed.BOTH));
    shape.apply(document, Forgery.element(document, "ArtifactResponse"), Forgery.element(document, "Response"));

    assertThat(Forgery.reason(read(document))).isEqualTo(reason);
  }

  /** An outer signature that is right does not make an inner one right. */
  @Test
  void aBrokenSignatureInsideAGoodOne() {
    for (String name : List.of("Response", "Assertion")) {
      Document document = Forgery.parse(envelope(Signed.BOTH));
      Element outer = Forgery.element(document, "ArtifactResponse");
      outer.removeChild(signature(outer));
      Element inner = Forgery.element(document, name);
      signature(inner).getElementsByTagNameNS("*", "DigestValue").item(0).setTextContent("AAAA");
      String signed = Forgery.sign(Forgery.write(document), "ArtifactResponse", new Forgery.Recipe());

      assertThat(Forgery.reason(read(signed, SamlFixtures.idpMetadata()))).as(name).isEqualTo(Reason.SIGNATURE_INVALID);
    }
  }

  @Test
  void signedByNobodyOfIts() {
    String envelope = envelope(Signed.BOTH, SamlFixtures.strangerKey());

    assertThat(Forgery.reason(read(envelope, SamlFixtures.idpMetadata()))).isEqualTo(Reason.SIGNATURE_INVALID);
    assertThat(Forgery.reason(read(envelope, SamlFixtures.spMetadata()))).isEqualTo(Reason.PARTNER_UNKNOWN);
  }

  /** A partner that is both: its service provider's key does not sign Responses. */
  @Test
  void aResponseSignedWithTheKeyOfTheOtherRole() {
    PartnerMetadata idp = SamlFixtures.idpMetadata(List.of(SamlFixtures.idpP256Key(), SamlFixtures.idpKey()));
    PartnerMetadata both =
        new PartnerMetadata(
            idp.entityId(), idp.validUntil(), idp.cacheDuration(), idp.displayName(), idp.idp(),
            SamlFixtures.spMetadata().sp());

    assertThat(read(envelope(Signed.BOTH), both)).isInstanceOf(Result.Accepted.class);
    assertThat(Forgery.reason(read(envelope(Signed.BOTH, SamlFixtures.spKey()), both)))
        .isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void aMessageOfSomebodyElse() {
    var others = SamlFixtures.logoutRequest("_l1", SamlFixtures.SP);
    var outer =
        new ArtifactResponse(
            "_a2", SamlFixtures.NOW, SamlFixtures.IDP, Optional.empty(), Optional.of("_a1"), SamlStatus.success());
    byte[] envelope = WRITER.soap(outer, Optional.of(WRITER.write(others)), SamlFixtures.idpKey());

    assertThat(Forgery.reason(read(new String(envelope, StandardCharsets.UTF_8), SamlFixtures.idpMetadata())))
        .isEqualTo(Reason.ISSUER_MISMATCH);
  }

  /** Signed as a whole, so the issuer wrote it: it is refused nevertheless. */
  @Test
  void whatAnIssuerMayNotSend() {
    String plain = MessageElements.write(
        SamlFixtures.response(Optional.of("_r1")), Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(reasonAround(plain.replaceFirst("Version=\"2.0\"", "Version=\"1.1\""))).isEqualTo(Reason.VERSION);
    assertThat(reasonAround(plain.replaceFirst("ID=\"_response-1\"", "ID=\"_a2\""))).isEqualTo(Reason.XML_DUPLICATE_ID);
    assertThat(reasonAround(plain + plain.replace("_response-1", "_x").replace("_assertion-1", "_y")))
        .isEqualTo(Reason.SCHEMA);
    assertThat(reasonAround("<x xmlns=\"urn:x\"/>")).isEqualTo(Reason.SCHEMA);
    assertThat(reasonAround("text")).isEqualTo(Reason.SCHEMA);
  }

  private Reason reasonAround(String inner) {
    var outer =
        new ArtifactResponse(
            "_a2", SamlFixtures.NOW, SamlFixtures.IDP, Optional.empty(), Optional.of("_a1"), SamlStatus.success());
    String plain = MessageElements.write(outer, Optional.empty(), Optional.empty(), Optional.empty());
    String filled = Forgery.replaceOnce(plain, "</saml2p:ArtifactResponse>", inner + "</saml2p:ArtifactResponse>");
    String signed = Forgery.sign(filled, "ArtifactResponse", new Forgery.Recipe());
    return Forgery.reason(read(SoapEnvelope.around(signed), SamlFixtures.idpMetadata()));
  }

  /** As {@link SignatureWrappingTest#randomRearrangements}, with one more signature outside. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void randomRearrangements(long seed) {
    Random random = new Random(seed);
    List<String> envelopes = Stream.of(Signed.values()).map(ArtifactResponseAttackTest::envelope).toList();
    Optional<SamlMessage> genuine = Optional.of(SamlFixtures.response(Optional.of("_request-1")));
    int accepted = 0;
    for (int i = 0; i < 400; i++) {
      Document document = Forgery.parse(envelopes.get(random.nextInt(envelopes.size())));
      for (int step = 1 + random.nextInt(4); step > 0; step--) {
        SignatureWrappingTest.rearrange(document, random);
      }
      if (read(document) instanceof Result.Accepted(var response)) {
        accepted++;
        assertThat(response.message()).as("seed %d, round %d", seed, i).isEqualTo(genuine);
      }
    }
    assertThat(accepted).as("seed %d: some changes touch nothing that was signed", seed).isPositive();
  }

  private static Element signature(Element signed) {
    for (Node node = signed.getFirstChild(); node != null; node = node.getNextSibling()) {
      if ("Signature".equals(node.getLocalName())) {
        return (Element) node;
      }
    }
    throw new AssertionError("not signed: " + signed.getLocalName());
  }

  private static Node forged(Element inner) {
    return SignatureWrappingTest.forge((Element) SignatureWrappingTest.original(inner));
  }
}
