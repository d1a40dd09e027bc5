package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.message.Forgery.reason;
import static dev.gatehouse.common.saml.message.Forgery.replaceOnce;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 2 to 4: documents that are dangerous for parsers, and values that readers may truncate. */
class XmlAttackTest {

  private static final String MAIL = ">alice@example.com</saml2:NameID>";

  private final String signed = Forgery.response(SamlWriter.Signed.ASSERTION);

  private static String subject(String xml) {
    return Forgery.accepted(Forgery.read(xml)).assertions().getFirst().subject().value();
  }

  // Values are whole (SECURITY-CASES 4): canonicalisation drops comments, so a signature survives them.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alice@example.com<!-- -->", "<!---->alice@example.com", "alice@<!-- x -->example<!-- y -->.com",
        "<![CDATA[alice@example.com]]>", "alice<![CDATA[@]]>example.com", "alice&#64;example.com",
        "&#x61;lice@example.com"
      })
  void nameIdWithCommentsAndSectionsIsWhole(String spelling) {
    assertThat(subject(replaceOnce(signed, MAIL, ">" + spelling + "</saml2:NameID>"))).isEqualTo("alice@example.com");
  }

  /** The known attack: an account "alice@example.com.evil.example", signed, then split by a comment. */
  @Test
  void commentDoesNotCutASignedName() {
    Assertion alice = SamlFixtures.assertion("_assertion-1", Optional.of("_request-1"));
    Assertion evil =
        new Assertion(
            alice.id(), alice.issueInstant(), alice.issuer(),
            NameId.of("alice@example.com.evil.example", NameId.UNSPECIFIED), alice.confirmations(), alice.notBefore(),
            alice.notOnOrAfter(), alice.audienceRestrictions(), alice.authnStatement(), alice.attributes());
    String xml =
        Forgery.response(
            SamlFixtures.response(Optional.of("_request-1"), java.util.List.of(evil)), SamlWriter.Signed.ASSERTION);

    assertThat(subject(replaceOnce(xml, "example.com.evil", "example.com<!-- -->.evil")))
        .isEqualTo("alice@example.com.evil.example");
  }

  @Test
  void attributeValueWithCommentIsWhole() {
    String xml = replaceOnce(signed, "<saml2:AttributeValue>manager", "<saml2:AttributeValue>man<!-- -->ager");

    assertThat(Forgery.accepted(Forgery.read(xml)).assertions().getFirst().attributes().getLast().values())
        .containsExactly("employee", "manager");
  }

  @ParameterizedTest
  @ValueSource(strings = {"alice@example.com<?pi?>", "<?xml-stylesheet href='x'?>alice@example.com"})
  void processingInstructionInNameId(String spelling) {
    assertThat(reason(replaceOnce(signed, MAIL, ">" + spelling + "</saml2:NameID>")))
        .isEqualTo(Reason.XML_PROCESSING_INSTRUCTION);
  }

  @Test
  void processingInstructionBeforeTheDocument() {
    assertThat(reason("<?xml-stylesheet href='http://evil.example'?>" + signed))
        .isEqualTo(Reason.XML_PROCESSING_INSTRUCTION);
  }

  @Test
  void elementInNameId() {
    assertThat(reason(replaceOnce(signed, MAIL, ">alice@example.com<b/></saml2:NameID>"))).isEqualTo(Reason.SCHEMA);
  }

  // Document types and entities (SECURITY-CASES 3).

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE x>", "<!DOCTYPE saml2p:Response SYSTEM \"http://127.0.0.1:9/x.dtd\">",
        "<!DOCTYPE x [<!ENTITY a \"b\">]>", "<!DOCTYPE x [<!ATTLIST saml2:Assertion ID ID #IMPLIED>]>",
        "<?xml version=\"1.0\"?>\n<!-- c --><!DOCTYPE x [<!ENTITY % p SYSTEM \"file:///etc/passwd\">%p;]>"
      })
  void documentType(String prolog) {
    assertThat(reason(prolog + signed)).isEqualTo(Reason.XML_DOCTYPE);
  }

  @Test
  void billionLaughs() {
    StringBuilder type = new StringBuilder("<!DOCTYPE x [<!ENTITY a0 \"ha\">");
    for (int i = 1; i < 30; i++) {
      type.append("<!ENTITY a").append(i).append(" \"&a").append(i - 1).append(";&a").append(i - 1).append(";\">");
    }

    assertThat(reason(type + "]><x>&a29;</x>")).isEqualTo(Reason.XML_DOCTYPE);
  }

  @Test
  void externalEntityIsNotFetched() throws Exception {
    try (ServerSocket canary = new ServerSocket(0)) {
      canary.setSoTimeout(300);
      String url = "http://127.0.0.1:" + canary.getLocalPort() + "/";

      assertThat(reason("<!DOCTYPE x SYSTEM \"" + url + "\"><x/>")).isEqualTo(Reason.XML_DOCTYPE);
      assertThat(reason(signed.replaceFirst("Version", "xsi:schemaLocation=\"urn:x " + url
              + "\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" Version").replace("alice@", "admin@")))
          .isEqualTo(Reason.SIGNATURE_INVALID);
      assertThat(reason(replaceOnce(signed, "<saml2p:Status>",
              "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"" + url + "\"/><saml2p:Status>")))
          .isEqualTo(Reason.SCHEMA);
      assertThatThrownBy(canary::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void undeclaredEntity() {
    assertThat(reason(replaceOnce(signed, MAIL, ">&alice;</saml2:NameID>"))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
  }

  // Encodings.

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32"})
  void otherEncodings(String charset) {
    String doctype = "<?xml version=\"1.0\" encoding=\"" + charset + "\"?><!DOCTYPE x><x/>";

    assertThat(reason(Forgery.read(signed.getBytes(Charset.forName(charset))))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
    assertThat(reason(Forgery.read(doctype.getBytes(Charset.forName(charset))))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version=\"1.0\" encoding=\"UTF-7\"?>", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
        "<?xml version=\"1.0\" encoding=\"IBM037\"?>", "<?xml version=\"1.1\"?>",
        "<?xml version=\"1.1\" encoding=\"UTF-8\"?>",
        "<?xml encoding=\"UTF-8\"?>", "<?xml version='1.0\" encoding=\"UTF-8\"?>", "<?xml?>"
      })
  void otherDeclarations(String declaration) {
    assertThat(reason(declaration + signed)).isEqualTo(Reason.XML_NOT_WELL_FORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "\uFEFF", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8' standalone='no'?>\n",
        "\uFEFF<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- hello -->"
      })
  void harmlessBeginnings(String prolog) {
    assertThat(subject(prolog + signed + "<!-- bye -->\n")).isEqualTo("alice@example.com");
  }

  @Test
  void bytesThatAreNotUtf8() {
    byte[] overlong = signed.replace("alice@", "al__e@").getBytes(StandardCharsets.UTF_8);
    int at = new String(overlong, StandardCharsets.ISO_8859_1).indexOf("__");
    overlong[at] = (byte) 0xC0;
    overlong[at + 1] = (byte) 0xBC;

    assertThat(reason(Forgery.read(overlong))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000", "\u0001", "&#0;", "&#x1F;", "\uFFFF", "&#xD800;"})
  void charactersThatXmlDoesNotHave(String character) {
    assertThat(reason(replaceOnce(signed, MAIL, ">alice" + character + "</saml2:NameID>")))
        .isEqualTo(Reason.XML_NOT_WELL_FORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "hello", "<", "<a>", "<a></b>", "<a/><b/>", "<a b='1' b='2'/>", "<p:a/>",
          "<a xmlns:p='' p:b=''/>"})
  void notWellFormed(String xml) {
    assertThat(reason(xml)).isIn(Reason.XML_NOT_WELL_FORMED, Reason.NO_MESSAGE);
  }

  // Sizes.

  @Test
  void tooDeep() {
    assertThat(reason("<a>".repeat(41) + "</a>".repeat(41))).isEqualTo(Reason.XML_TOO_COMPLEX);
    assertThat(reason("<a>".repeat(30_000) + "</a>".repeat(30_000))).isEqualTo(Reason.XML_TOO_COMPLEX);
  }

  @ParameterizedTest
  @ValueSource(ints = {65, 201, 20_000})
  void tooManyAttributes(int count) {
    StringBuilder xml = new StringBuilder("<a");
    for (int i = 0; i < count; i++) {
      xml.append(" a").append(i).append("=''");
    }

    assertThat(reason(xml + "/>")).isEqualTo(Reason.XML_TOO_COMPLEX);
  }

  @Test
  void tooManyNamespaces() {
    StringBuilder xml = new StringBuilder("<a");
    for (int i = 0; i < 5_000; i++) {
      xml.append(" xmlns:a").append(i).append("='urn:").append(i).append("'");
    }

    assertThat(reason(xml + "/>")).isEqualTo(Reason.XML_TOO_COMPLEX);
  }

  @Test
  void tooManyElements() {
    assertThat(reason("<a>" + "<b/>".repeat(5_000) + "</a>")).isEqualTo(Reason.XML_TOO_COMPLEX);
  }

  @Test
  void longName() {
    assertThat(reason("<" + "a".repeat(5_000) + "/>")).isEqualTo(Reason.XML_TOO_COMPLEX);
  }

  @Test
  void tooLarge() {
    assertThat(reason("<a>" + "b".repeat(Transport.MAX_BYTES) + "</a>")).isEqualTo(Reason.MESSAGE_TOO_LARGE);
    assertThat(reason("<a>" + "b".repeat(600_000) + "</a>")).isEqualTo(Reason.MESSAGE_TOO_LARGE);
  }
}
