package dev.gatehouse.common.saml.signature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * SECURITY-CASES 1: the eight shapes of Somorovsky and others, "On Breaking SAML: Be Whoever You Want to Be"
 * (2012), made of validly signed messages, and then shapes that nobody has drawn yet.
 */
public class SignatureWrappingTest {

  private static final String DS = XmlNamespace.DS.uri();
  private static final String SAMLP = XmlNamespace.SAMLP.uri();

  /** Rearranges the document around {@code signed}, the element that its own child Signature covers. */
  public interface Shape {
    void apply(Document document, Element signed, Element signature);
  }

  public static Stream<Arguments> shapes() {
    return Stream.of(
        shape("1: original inside the Signature of the forged Response", "Response", Reason.SIGNATURE_MALFORMED,
            (document, signed, signature) -> {
              Node original = original(signed);
              forge(signed);
              signature.appendChild(original);
            }),
        shape("2: original beside the detached Signature in the forged Response", "Response", Reason.SCHEMA,
            (document, signed, signature) -> {
              Node original = original(signed);
              forge(signed);
              signed.insertBefore(original, signature);
            }),
        shape("3: forged Assertion before the signed one", "Assertion", Reason.SIGNATURE_MISSING,
            (document, signed, signature) ->
                signed.getParentNode().insertBefore(forge((Element) original(signed)), signed)),
        shape("4: forged Assertion around the signed one", "Assertion", Reason.SCHEMA,
            (document, signed, signature) -> {
              Element forged = forge((Element) original(signed));
              signed.getParentNode().replaceChild(forged, signed);
              forged.appendChild(signed);
            }),
        shape("5: forged Assertion keeps the Signature, original at the end", "Assertion", Reason.SIGNATURE_REFERENCE,
            (document, signed, signature) -> {
              Node original = original(signed);
              forge(signed);
              document.getDocumentElement().appendChild(original);
            }),
        shape("6: original inside the Signature of the forged Assertion", "Assertion", Reason.SIGNATURE_MALFORMED,
            (document, signed, signature) -> {
              Node original = original(signed);
              forge(signed);
              signature.appendChild(original);
            }),
        shape("7: forged Assertion in Extensions", "Assertion", Reason.SCHEMA,
            (document, signed, signature) -> {
              Element extensions = document.createElementNS(SAMLP, "saml2p:Extensions");
              extensions.appendChild(forge((Element) original(signed)));
              Node status = document.getElementsByTagNameNS(SAMLP, "Status").item(0);
              status.getParentNode().insertBefore(extensions, status);
            }),
        shape("8: original in an Object of the forged Assertion's Signature", "Assertion", Reason.SIGNATURE_MALFORMED,
            (document, signed, signature) -> {
              Node original = original(signed);
              forge(signed);
              Element object = document.createElementNS(DS, "ds:Object");
              object.appendChild(original);
              signature.appendChild(object);
            }));
  }

  private static Arguments shape(String name, String signed, Reason reason, Shape shape) {
    return Arguments.of(Named.of(name, shape), signed, reason);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void classicShape(Shape shape, String signed, Reason reason) {
    assertThat(Forgery.reason(apply(shape, signed))).isEqualTo(reason);
  }

  /** The same shapes, in turn around the other element that can be signed. */
  @ParameterizedTest
  @MethodSource("shapes")
  void classicShapeAroundTheOtherElement(Shape shape, String signed, Reason reason) {
    String other = signed.equals("Response") ? "Assertion" : "Response";
    var reading = readOrSkip(shape, other);
    assertThat(reading).isInstanceOf(Result.Refused.class);
  }

  private static Result<?, SamlRefusal> readOrSkip(Shape shape, String signed) {
    try {
      return Forgery.read(apply(shape, signed));
    } catch (org.w3c.dom.DOMException e) {
      // The shape would put a document element beside the document element: no XML at all.
      return new Result.Refused<>(new SamlRefusal(Reason.XML_NOT_WELL_FORMED, "cannot be drawn"));
    }
  }

  /** With the forged copy under the same ID, resolvers that take the first or the last are fooled either way. */
  @ParameterizedTest
  @EnumSource(names = {"RESPONSE", "ASSERTION"})
  void copyWithTheSameId(SamlWriter.Signed signed) {
    Document document = Forgery.parse(Forgery.response(signed));
    Element assertion = Forgery.element(document, "Assertion");
    Element copy = (Element) original(assertion);
    assertion.getParentNode().insertBefore(copy, assertion);

    assertThat(Forgery.reason(Forgery.write(document))).isEqualTo(Reason.XML_DUPLICATE_ID);
  }

  @Test
  void unsignedAssertionAfterTheSignedOne() {
    Document document = Forgery.parse(Forgery.response(SamlWriter.Signed.ASSERTION));
    Element assertion = Forgery.element(document, "Assertion");
    document.getDocumentElement().appendChild(forge((Element) original(assertion)));

    assertThat(Forgery.reason(Forgery.write(document))).isEqualTo(Reason.SIGNATURE_MISSING);
  }

  @Test
  void signedAssertionHiddenInAdvice() {
    Document document = Forgery.parse(Forgery.response(SamlWriter.Signed.ASSERTION));
    Element signed = Forgery.element(document, "Assertion");
    Element forged = forge((Element) original(signed));
    signed.getParentNode().replaceChild(forged, signed);
    Element advice = document.createElementNS(XmlNamespace.SAML.uri(), "saml2:Advice");
    advice.appendChild(signed);
    Node statement = forged.getElementsByTagNameNS("*", "AuthnStatement").item(0);
    forged.insertBefore(advice, statement);

    assertThat(Forgery.reason(Forgery.write(document))).isEqualTo(Reason.SCHEMA);
  }

  /**
   * Copies, moves, renames and removes nodes at random, with every copy saying "mallory". Whatever comes of it is
   * refused, or it still says what was signed.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void randomRearrangements(long seed) {
    Random random = new Random(seed);
    List<String> messages = Stream.of(SamlWriter.Signed.values()).map(Forgery::response).toList();
    int accepted = 0;
    for (int i = 0; i < 400; i++) {
      Document document = Forgery.parse(messages.get(random.nextInt(messages.size())));
      for (int step = 1 + random.nextInt(4); step > 0; step--) {
        rearrange(document, random);
      }
      String xml = Forgery.write(document);
      if (Forgery.read(xml) instanceof Result.Accepted(ReceivedResponse response)) {
        accepted++;
        assertThat(response.assertions()).as("seed %d, round %d: %s", seed, i, xml)
            .containsExactly(SamlFixtures.assertion("_assertion-1", java.util.Optional.of("_request-1")));
      }
    }
    assertThat(accepted).as("seed %d: some changes touch nothing that was signed", seed).isPositive();
  }

  public static void rearrange(Document document, Random random) {
    List<Element> elements = new ArrayList<>();
    var all = document.getElementsByTagNameNS("*", "*");
    for (int i = 0; i < all.getLength(); i++) {
      elements.add((Element) all.item(i));
    }
    Element one = elements.get(random.nextInt(elements.size()));
    Element other = elements.get(random.nextInt(elements.size()));
    if (one == document.getDocumentElement()) {
      one = other;
    }
    try {
      switch (random.nextInt(6)) {
        case 0 -> other.appendChild(forge((Element) one.cloneNode(true)));
        case 1 -> other.getParentNode().insertBefore(forge((Element) one.cloneNode(true)), other);
        case 2 -> other.appendChild(one);
        case 3 -> other.getParentNode().insertBefore(one, other);
        case 4 -> {
          Element copy = (Element) one.cloneNode(true);
          other.getParentNode().insertBefore(copy, other);
          forge(one);
        }
        default -> {
          if (one != document.getDocumentElement()) {
            one.getParentNode().removeChild(one);
          }
        }
      }
    } catch (org.w3c.dom.DOMException e) {
      // A node cannot go below itself: nothing was changed.
    }
  }

  private static String apply(Shape shape, String signedName) {
    boolean response = signedName.equals("Response");
    Document document =
        Forgery.parse(Forgery.response(response ? SamlWriter.Signed.RESPONSE : SamlWriter.Signed.ASSERTION));
    Element signed = Forgery.element(document, signedName);
    shape.apply(document, signed, Forgery.element(document, "Signature"));
    return Forgery.write(document);
  }

  /** A copy as it was before it was signed, which is what the digest covers. */
  public static Node original(Element signed) {
    Element copy = (Element) signed.cloneNode(true);
    for (Node node = copy.getFirstChild(); node != null; node = node.getNextSibling()) {
      if ("Signature".equals(node.getLocalName())) {
        copy.removeChild(node);
        break;
      }
    }
    return copy;
  }

  /** Gives every element in it an ID of its own and another person. */
  public static Element forge(Element element) {
    if (element.getFirstChild() != null && element.getElementsByTagNameNS("*", "*").getLength() == 0) {
      element.setTextContent(element.getTextContent().replace("alice", "mallory"));
    }
    Attr id = element.getAttributeNodeNS(null, "ID");
    if (id != null) {
      id.setValue("_forged-" + id.getValue());
    }
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        forge(child);
      }
    }
    return element;
  }
}
