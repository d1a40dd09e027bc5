package dev.gatehouse.common.saml.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import dev.gatehouse.common.saml.signature.SignatureWrappingTest;
import dev.gatehouse.common.saml.signature.SignatureWrappingTest.Shape;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * SECURITY-CASES 1 with EncryptedAssertion: the eight shapes of {@link SignatureWrappingTest}, with ciphertext in place of the moved
 * elements. Anybody with our certificate can encrypt, so both the forged and the original element may be hidden in ciphertext, and the
 * forged one around the original or beside it. Encryption changes the reason of no refusal.
 */
class EncryptedWrappingTest {

  private static final String SAML = XmlNamespace.SAML.uri();

  /** The Assertions that the attacker encrypts if one is inside another. */
  enum Hidden {
    OUTERMOST,
    INNERMOST,
    BOTH;

    void in(Document document) {
      switch (this) {
        case OUTERMOST -> hide(document, false);
        case INNERMOST -> hide(document, true);
        case BOTH -> {
          hide(document, true);
          hide(document, false);
        }
      }
    }
  }

  static Stream<Arguments> ofAssertions() {
    return SignatureWrappingTest.shapes()
        .filter(shape -> shape.get()[1].equals("Assertion"))
        .flatMap(shape -> Stream.of(Hidden.values()).map(hidden -> arguments(shape, hidden)));
  }

  static Stream<Arguments> ofResponses() {
    return SignatureWrappingTest.shapes()
        .filter(shape -> shape.get()[1].equals("Response"))
        .flatMap(shape -> Stream.of(Signed.RESPONSE, Signed.BOTH).map(signed -> arguments(shape, signed)));
  }

  private static Arguments arguments(Arguments shape, Object how) {
    return Arguments.of(shape.get()[0], how, shape.get()[2]);
  }

  /** 3 to 8: the Assertion is signed, then encrypted. */
  @ParameterizedTest
  @MethodSource("ofAssertions")
  void shapeOfAnAssertion(Shape shape, Hidden hidden, Reason reason) {
    Document document = Forgery.parse(Forgery.response(Signed.ASSERTION));
    shape.apply(document, Forgery.element(document, "Assertion"), Forgery.element(document, "Signature"));
    hidden.in(document);

    assertThat(document.getElementsByTagNameNS(SAML, "EncryptedAssertion").getLength()).isPositive();
    assertThat(reason(document)).isEqualTo(reason);
  }

  /** 1 and 2: the Response is signed over ciphertext; the forged one brings ciphertext of its own. */
  @ParameterizedTest
  @MethodSource("ofResponses")
  void shapeOfAResponse(Shape shape, Signed signed, Reason reason) {
    Document document = Forgery.parse(encryptedResponse(signed));
    shape.apply(document, document.getDocumentElement(), Forgery.element(document, "Signature"));
    for (Element child : Dom.children(document.getDocumentElement(), XmlNamespace.SAML, "EncryptedAssertion")) {
      replace(child, EncryptionAttackTest.encrypted(forgedAssertion()));
    }

    assertThat(reason(document)).isEqualTo(reason);
  }

  /** The parts of the shapes would be accepted by themselves: no shape is refused because of its construction. */
  @ParameterizedTest
  @EnumSource(Signed.class)
  void withoutAnyShape(Signed signed) {
    Document encryptedByUs = Forgery.parse(encryptedResponse(signed));
    assertThat(EncryptionTest.accepted(read(encryptedByUs)).assertions()).containsExactly(honest());
    if (signed == Signed.ASSERTION) {
      Document encryptedHere = Forgery.parse(Forgery.response(signed));
      hide(encryptedHere, false);
      assertThat(EncryptionTest.accepted(read(encryptedHere)).assertions()).containsExactly(honest());
    }
  }

  /** The Response's signature covers the ciphertext: another one in its place is a change. */
  @Test
  void forgedCiphertextInASignedResponse() {
    Document document = Forgery.parse(encryptedResponse(Signed.RESPONSE));
    replace(Forgery.element(document, "EncryptedAssertion"), EncryptionAttackTest.encrypted(forgedAssertion()));

    assertThat(reason(document)).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  /** Rearranged at random and then encrypted: refused, or it still has the signed content. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomRearrangements(long seed) {
    Random random = new Random(seed);
    String message = Forgery.response(Signed.ASSERTION);
    int accepted = 0;
    for (int i = 0; i < 150; i++) {
      Document document = Forgery.parse(message);
      for (int step = 1 + random.nextInt(3); step > 0; step--) {
        SignatureWrappingTest.rearrange(document, random);
      }
      Hidden.values()[random.nextInt(3)].in(document);
      if (read(document) instanceof Result.Accepted(ReceivedResponse response)) {
        accepted++;
        assertThat(response.assertions())
            .as("seed %d, round %d: %s", seed, i, Forgery.write(document))
            .containsExactly(honest());
      }
    }
    assertThat(accepted).as("seed %d: some changes touch nothing that was signed", seed).isPositive();
  }

  private static Assertion honest() {
    return SamlFixtures.assertion("_assertion-1", Optional.of("_request-1"));
  }

  private static String encryptedResponse(Signed signed) {
    var form =
        new CanonicalSamlWriter()
            .encrypting(EncryptionTest.everything(SamlFixtures.spKey()))
            .postResponse(
                SamlFixtures.response(Optional.of("_request-1")), SamlFixtures.SP_ACS, Optional.empty(),
                SamlFixtures.idpKey(), signed);
    return new String(Base64.getDecoder().decode(form.value()), StandardCharsets.UTF_8);
  }

  private static String forgedAssertion() {
    Document document = Forgery.parse(Forgery.unsignedResponse());
    return Forgery.write(SignatureWrappingTest.forge(Forgery.element(document, "Assertion")));
  }

  /** Encrypts every Assertion that has no other around it, or none inside it. */
  private static void hide(Document document, boolean innermost) {
    for (Element assertion : assertions(document)) {
      if (innermost ? assertion.getElementsByTagNameNS(SAML, "Assertion").getLength() == 0 : !isInside(assertion)) {
        replace(assertion, EncryptionAttackTest.encrypted(Forgery.write(assertion)));
      }
    }
  }

  private static List<Element> assertions(Document document) {
    var found = document.getElementsByTagNameNS(SAML, "Assertion");
    List<Element> assertions = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      assertions.add((Element) found.item(i));
    }
    return assertions;
  }

  private static boolean isInside(Element assertion) {
    for (Node node = assertion.getParentNode(); node instanceof Element around; node = around.getParentNode()) {
      if (Dom.is(around, XmlNamespace.SAML, "Assertion")) {
        return true;
      }
    }
    return false;
  }

  private static void replace(Element element, String by) {
    Document document = element.getOwnerDocument();
    Node imported = document.importNode(Forgery.parse(by).getDocumentElement(), true);
    element.getParentNode().replaceChild(imported, element);
  }

  private static Result<ReceivedResponse, SamlRefusal> read(Document document) {
    return EncryptionAttackTest.read(Forgery.write(document));
  }

  private static Reason reason(Document document) {
    return EncryptionTest.refused(read(document));
  }
}
