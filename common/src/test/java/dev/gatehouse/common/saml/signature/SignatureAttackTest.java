package dev.gatehouse.common.saml.signature;

import static dev.gatehouse.common.saml.message.Forgery.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.Forgery.Recipe;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.util.List;
import java.util.Optional;
import javax.xml.crypto.dsig.spec.ExcC14NParameterSpec;
import javax.xml.crypto.dsig.spec.XPathFilterParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** SECURITY-CASES 2, 5 and 8: the signed element, the transforms, and the position of the Signature. */
class SignatureAttackTest {

  private static final String SIGNED_INFO_END = "</ds:SignedInfo>";

  private final String signed = Forgery.response(SamlWriter.Signed.ASSERTION);
  private final String unsigned = Forgery.unsignedResponse();

  /** The workshop's own way to sign is a valid one: the refusals below are for what each test changes. */
  @ParameterizedTest
  @ValueSource(strings = {"Response", "Assertion"})
  void signedByAnotherImplementation(String element) {
    var received = Forgery.accepted(Forgery.read(Forgery.sign(unsigned, element, new Recipe())));

    assertThat(received.responseSigned()).isEqualTo(element.equals("Response"));
    assertThat(received.assertions().getFirst().subject().value()).isEqualTo("alice@example.com");
  }

  @Test
  void inclusiveNamespacesAreHonoured() {
    Recipe recipe = new Recipe().transforms(Forgery.ENVELOPED);
    recipe.transforms.add(
        recipe.transform(Forgery.EXCLUSIVE, new ExcC14NParameterSpec(List.of("xs", "saml2p", "#default"))));
    String typed =
        unsigned.replace("<saml2p:Response ", "<saml2p:Response xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" ");
    String xml = Forgery.sign(typed, "Assertion", recipe);

    assertThat(Forgery.accepted(Forgery.read(xml)).assertions()).hasSize(1);
    assertThat(reason(xml.replace("2001/XMLSchema", "2001/Other"))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void signatureRemoved() {
    assertThat(reason(unsigned)).isEqualTo(Reason.SIGNATURE_MISSING);
    assertThat(reason(signed.replaceFirst("<ds:Signature .*</ds:Signature>", ""))).isEqualTo(Reason.SIGNATURE_MISSING);
  }

  @Test
  void contentsChanged() {
    assertThat(reason(signed.replace("alice@", "admin@"))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void signatureValueChanged() {
    Document document = Forgery.parse(signed);
    Element value = Forgery.element(document, "SignatureValue");
    String text = value.getTextContent();
    value.setTextContent((text.charAt(0) == 'A' ? 'B' : 'A') + text.substring(1));

    assertThat(reason(Forgery.write(document))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "AAAA", "A", "!!!!"})
  void signatureValueOfNoUse(String value) {
    String xml = signed.replaceFirst("<ds:SignatureValue>[^<]*<", "<ds:SignatureValue>" + value + "<");

    assertThat(reason(xml)).isIn(Reason.SIGNATURE_MALFORMED, Reason.SIGNATURE_INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "#", "#_other", "http://evil.example/x", "#xpointer(/)", "#xpointer(id('_assertion-1'))",
          "_assertion-1", "#_response-1"})
  void referenceToAnythingElse(String uri) {
    String xml = Forgery.replaceOnce(signed, "URI=\"#_assertion-1\"", "URI=\"" + uri + "\"");

    assertThat(reason(xml)).isEqualTo(Reason.SIGNATURE_REFERENCE);
  }

  @Test
  void referenceWithoutUri() {
    assertThat(reason(Forgery.replaceOnce(signed, " URI=\"#_assertion-1\"", ""))).isEqualTo(Reason.SIGNATURE_REFERENCE);
  }

  /** Validly signed: an empty URI means the whole document (XML Signature 4.4.3.2). */
  @Test
  void wholeDocumentReference() {
    Recipe recipe = new Recipe();
    recipe.uri = Optional.of("");

    assertThat(reason(Forgery.sign(unsigned, "Response", recipe))).isEqualTo(Reason.SIGNATURE_REFERENCE);
  }

  @Test
  void twoReferences() {
    Recipe recipe = new Recipe();
    recipe.references = 2;

    assertThat(reason(Forgery.sign(unsigned, "Assertion", recipe))).isEqualTo(Reason.SIGNATURE_REFERENCE);
  }

  @Test
  void noReference() {
    assertThat(reason(signed.replaceFirst("<ds:Reference .*</ds:Reference>", "")))
        .isEqualTo(Reason.SIGNATURE_REFERENCE);
  }

  @Test
  void twoSignedInfos() {
    String signedInfo = signed.replaceFirst(".*(<ds:SignedInfo>.*</ds:SignedInfo>).*", "$1");

    assertThat(reason(signed.replace(SIGNED_INFO_END, SIGNED_INFO_END + signedInfo)))
        .isEqualTo(Reason.SIGNATURE_MALFORMED);
  }

  @Test
  void twoSignatures() {
    String signature = signed.replaceFirst(".*(<ds:Signature .*</ds:Signature>).*", "$1");

    assertThat(reason(signed.replace(signature, signature + signature))).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void signatureInsideSignature() {
    String signature = signed.replaceFirst(".*(<ds:Signature .*</ds:Signature>).*", "$1");

    assertThat(reason(signed.replace("</ds:SignatureValue>", "</ds:SignatureValue>" + signature)))
        .isEqualTo(Reason.SIGNATURE_MALFORMED);
    assertThat(reason(signed.replace("</ds:SignatureValue>", signature + "</ds:SignatureValue>")))
        .isEqualTo(Reason.SIGNATURE_MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Subject", "Conditions", "AuthnStatement", "AttributeStatement"})
  void signatureMovedBehind(String name) {
    Document document = Forgery.parse(signed);
    Element signature = Forgery.element(document, "Signature");
    Element place = Forgery.element(document, name);
    place.getParentNode().insertBefore(signature, place.getNextSibling());

    assertThat(reason(Forgery.write(document))).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void signatureMovedIntoTheResponse() {
    Document document = Forgery.parse(signed);
    Element signature = Forgery.element(document, "Signature");
    Element status = Forgery.element(document, "Status");
    status.getParentNode().insertBefore(signature, status);

    assertThat(reason(Forgery.write(document))).isEqualTo(Reason.SIGNATURE_REFERENCE);
  }

  @Test
  void signatureMovedIntoAnAttributeValue() {
    Document document = Forgery.parse(signed);
    Forgery.element(document, "AttributeValue").appendChild(Forgery.element(document, "Signature"));

    assertThat(reason(Forgery.write(document))).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void objectAndManifest() {
    String manifest =
        "<ds:Object><ds:Manifest Id=\"m\"><ds:Reference URI=\"#_assertion-1\"/></ds:Manifest>"
            + "</ds:Object></ds:Signature>";

    assertThat(reason(signed.replace("</ds:Signature>", manifest))).isEqualTo(Reason.SIGNATURE_MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature http://www.w3.org/2006/12/xml-c14n11",
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature http://www.w3.org/2001/10/xml-exc-c14n# "
            + "http://www.w3.org/2001/10/xml-exc-c14n#",
      })
  void otherTransforms(String transforms) {
    Recipe recipe = new Recipe().transforms(transforms.split(" "));

    assertThat(reason(Forgery.sign(unsigned, "Assertion", recipe))).isEqualTo(Reason.SIGNATURE_TRANSFORM);
  }

  @Test
  void xpathTransform() {
    Recipe recipe = new Recipe().transforms(Forgery.ENVELOPED);
    recipe.transforms.add(
        recipe.transform("http://www.w3.org/TR/1999/REC-xpath-19991116", new XPathFilterParameterSpec("true()")));
    recipe.transforms.add(recipe.transform(Forgery.EXCLUSIVE));

    assertThat(reason(Forgery.sign(unsigned, "Assertion", recipe))).isEqualTo(Reason.SIGNATURE_TRANSFORM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://www.w3.org/TR/1999/REC-xslt-19991116", "http://www.w3.org/2000/09/xmldsig#base64",
        "http://www.w3.org/2002/06/xmldsig-filter2", ""
      })
  void unknownTransforms(String transform) {
    String xml = signed.replace("xmldsig#enveloped-signature", "x")
        .replace("http://www.w3.org/2000/09/x\"", transform + "\"");

    assertThat(reason(xml)).isEqualTo(Reason.SIGNATURE_TRANSFORM);
  }

  @Test
  void transformWithContents() {
    String xml =
        signed.replace(
            "enveloped-signature\"></ds:Transform>", "enveloped-signature\"><ds:XPath>1</ds:XPath></ds:Transform>");

    assertThat(reason(xml)).isEqualTo(Reason.SIGNATURE_TRANSFORM);
  }

  @Test
  void inclusiveNamespacesWithContents() {
    Recipe recipe = new Recipe().transforms(Forgery.ENVELOPED);
    recipe.transforms.add(recipe.transform(Forgery.EXCLUSIVE, new ExcC14NParameterSpec(List.of("xs"))));
    String xml = Forgery.sign(unsigned, "Assertion", recipe);

    Document document = Forgery.parse(xml);
    Forgery.element(document, "InclusiveNamespaces").appendChild(document.createElementNS("urn:x", "x"));
    assertThat(reason(Forgery.write(document))).isEqualTo(Reason.SIGNATURE_TRANSFORM);
    assertThat(reason(xml.replace("PrefixList=\"xs\"", "PrefixList=\"" + "a ".repeat(300) + "\"")))
        .isEqualTo(Reason.SIGNATURE_TRANSFORM);
  }

  @Test
  void otherCanonicalisationOfSignedInfo() {
    Recipe recipe = new Recipe();
    recipe.canonicalization = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";

    assertThat(reason(Forgery.sign(unsigned, "Assertion", recipe))).isEqualTo(Reason.SIGNATURE_TRANSFORM);
  }

  @Test
  void secondAssertionSignedByAnother() {
    String two = Forgery.response(
        SamlFixtures.response(
            Optional.of("_request-1"),
            List.of(
                SamlFixtures.assertion("_assertion-1", Optional.of("_request-1")),
                SamlFixtures.assertion("_assertion-2", Optional.of("_request-1")))),
        SamlWriter.Signed.ASSERTION);
    assertThat(Forgery.accepted(Forgery.read(two)).assertions()).hasSize(2);
    int second = two.lastIndexOf("<saml2:Assertion");

    assertThat(reason(two.substring(0, second) + two.substring(second).replace("alice@", "admin@")))
        .isEqualTo(Reason.SIGNATURE_INVALID);
    assertThat(
        reason(two.substring(0, second) + two.substring(second).replaceFirst("<ds:Signature .*</ds:Signature>", "")))
        .isEqualTo(Reason.SIGNATURE_MISSING);
  }

  /** Even under a signed Response, an invalid signature is not ignored. */
  @Test
  void wrongAssertionSignatureUnderASignedResponse() {
    String inner = Forgery.sign(unsigned, "Assertion", new Recipe().key(SamlFixtures.strangerKey()));

    assertThat(reason(Forgery.sign(inner, "Response", new Recipe()))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void emptyEncryptedAssertion() {
    String encrypted =
        "<saml2:EncryptedAssertion xmlns:saml2=\"urn:oasis:names:tc:SAML:2.0:assertion\"/></saml2p:Response>";

    assertThat(reason(signed.replace("</saml2p:Response>", encrypted))).isEqualTo(Reason.SCHEMA);
  }
}
