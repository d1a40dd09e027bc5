package dev.gatehouse.common.saml.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.RandomMessages;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents read as plain XML are read equally by the JDK's parser; {@link PlainXmlFuzz} covers more. */
class PlainXmlTest {

  private static final String[] PIECES = {
    "<", ">", "/>", "</", "<a>", "</a>", "<a/>", "<p:a/>", "=", "\"", "'", " ", "\n", "\t", "\r", "\r\n", "&", ";", "&amp;",
    "&lt;", "&gt;", "&quot;", "&apos;", "&#65;", "&#x10;", "&nbsp;", "]]>", "]]", "<!--", "-->", "<!-- x -->", "<![CDATA[",
    "<?x y?>", "xmlns=''", "xmlns='urn:d'", " xmlns:p='urn:p'", " xmlns:q='urn:p'", " xmlns:p=''", " xmlns:xml='urn:x'",
    " xmlns:xmlns='urn:x'", " xmlns:x='http://www.w3.org/XML/1998/namespace'", " xmlns:x='http://www.w3.org/2000/xmlns/'",
    " xmlns='http://www.w3.org/2000/xmlns/'", " xml:lang='de'", " xml:id='_1'", " ID='_1'", " Id='_1'", " p:b='1'",
    " q:b='2'", " b='1'", "xmlns:", "p:", ":", ":b", "a:b:c", "-a", "1", ".", "_", "ä", "\u00D7", "\u0085", "\u2028", "\u007F",
    "\u0001", "\u0000", "\uFFFD", "\uFFFE", "\uFEFF", "\uD83D\uDE00", "\uD83D", "xml", "XML", "saml2", "urn:p"
  };

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a/>", " <a/>\n", "<a></a>", "<a b='1' c=\"2\"/>", "<a b = '1'\n c='2' >x</a >", "<a b='&lt;&amp;&gt;&quot;&apos;'/>",
        "<a>x &amp; y</a>", "<a>\n\t<b/>ä\u2028</a>", "<a b='ä\u0085'/>", "<p:a xmlns:p='urn:p' p:b='1' b='2'/>",
        "<a p:b='1' xmlns:p='urn:p'/>", "<a xmlns='urn:d'><b xmlns=''/></a>", "<a xml:lang='de'/>", "<a>]] ></a>",
        "<xmla/>", "<a ID='_1'><b Id='_2'/></a>", "<a><b><c/></b></a>"
      })
  void readsWhatSoftwareWrites(String xml) {
    assertThat(PlainXmlFuzz.check(xml)).isTrue();
  }

  /** Some of these are XML, some are not: this reader must leave all of them to the parser. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "x", "<", "<a", "<a>", "<a b", "<a b=", "<a b='", "<a></b>", "<a/><b/>", "<a/>x", "x<a/>", "<a b='1' b='2'/>",
        "<a b='1'c='2'/>", "<a b=1/>", "<a b='<'/>", "<a>]]></a>", "<a>&x;</a>", "<a>&amp</a>", "<a>& </a>", "<a>&#65;</a>",
        "<p:a/>", "<a p:b='1'/>", "<a xmlns:p='urn:p' xmlns:q='urn:p' p:b='1' q:b='2'/>", "<a xmlns:p=''/>",
        "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>", "<xmlns:a/>", "<xml:a/>", "<a:b:c xmlns:a='urn:a'/>",
        "<:a/>", "<a:/>", "< a/>", "<1/>", "<ä/>", "<a\uD83D\uDE00='1'/>", "<a>\r\n</a>", "<a b='\n'/>", "<a>\u0001</a>",
        "<a>\uFFFE</a>", "<a>\uD83D\uDE00</a>", "<a><!-- x --></a>", "<!-- x --><a/>", "<a><![CDATA[x]]></a>", "<a><?x?></a>"
      })
  void leavesTheRestToTheParser(String xml) {
    assertThat(PlainXmlFuzz.check(xml)).isFalse();
  }

  @Test
  void declarationIsPassedOver() {
    BoundedTree tree = new BoundedTree(new BoundedTree.Limits(1, 1, 1), Set.of());
    assertThat(PlainXml.read("<?xml version='1.0' encoding='UTF-8'?>\n<a/>", tree)).isTrue();
    assertThat(tree.document().getDocumentElement().getLocalName()).isEqualTo("a");
  }

  /** Vertical tabs are no white space in XML (XML 1.0, production 3): the JDK's parser takes none of these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version\u000B='1.0'?><a/>", "<?xml version='1.0'\u000Bencoding='UTF-8'?><a/>", "<?xml version='1.0'\u000B?><a/>"
      })
  void declarationsWithOtherWhiteSpaceAreRefused(String xml) {
    HardenedParser parser = new HardenedParser(1_000, new BoundedTree.Limits(1, 1, 1));

    assertThatThrownBy(() -> parser.parse(xml.getBytes(StandardCharsets.UTF_8))).isInstanceOf(MessageRefused.class);
  }

  @Test
  void limitsAreTheSame() {
    assertThat(PlainXmlFuzz.check("<a>".repeat(41) + "</a>".repeat(41))).isTrue();
    assertThat(PlainXmlFuzz.check("<a>" + "<b/>".repeat(5_000) + "</a>")).isTrue();
    assertThat(PlainXmlFuzz.check("<a" + attributes(65) + "/>")).isTrue();
    assertThat(PlainXmlFuzz.check("<a" + attributes(101) + "/>")).isFalse();
    assertThat(PlainXmlFuzz.check("<a ID='_1'><b ID='_1'/></a>")).isTrue();
    assertThat(PlainXmlFuzz.check("<" + "a".repeat(201) + "/>")).isFalse();
  }

  private static String attributes(int count) {
    StringBuilder attributes = new StringBuilder();
    for (int i = 0; i < count; i++) {
      attributes.append(" a").append(i).append("=''");
    }
    return attributes.toString();
  }

  /** Messages of ours, and what partners' products wrote. */
  private static List<String> documents() throws IOException {
    List<String> documents = new ArrayList<>();
    RandomMessages messages = new RandomMessages(11);
    for (int i = 0; i < 200; i++) {
      documents.add(Forgery.unsigned(messages.next()));
    }
    documents.add(Forgery.response(SamlWriter.Signed.BOTH));
    try (Stream<Path> files = Files.walk(Path.of("src/test/resources/saml-metadata"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".xml")).sorted().toList()) {
        documents.add(Files.readString(file));
      }
    }
    return documents;
  }

  @Test
  void messagesAreMostlyPlain() throws Exception {
    List<String> documents = documents();
    List<String> plain = documents.stream().filter(PlainXmlTest::isChecked).toList();
    // The random ones are full of line breaks and characters beyond 16 bits.
    assertThat(plain).contains(Forgery.response(SamlWriter.Signed.BOTH)).hasSizeGreaterThan(documents.size() / 10);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void spoiledDocumentsAreReadAsTheParserReadsThem(long seed) throws Exception {
    Random random = new Random(seed);
    List<String> documents = new ArrayList<>(documents());
    PlainXmlFuzz.seeds().forEach(bytes -> documents.add(new String(bytes, StandardCharsets.UTF_8)));
    documents.removeIf(document -> document.length() > 20_000 || !isChecked(document));
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      String spoiled = documents.get(random.nextInt(documents.size()));
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        spoiled = spoiled(spoiled, random);
      }
      read += isChecked(spoiled) ? 1 : 0;
    }
    assertThat(read).isGreaterThan(1_000);
  }

  private static boolean isChecked(String document) {
    boolean judgedBefore = document.contains("<!DOCTYPE") || document.startsWith("<?xml") || document.startsWith("\uFEFF");
    return !judgedBefore && PlainXmlFuzz.check(document);
  }

  private static String spoiled(String document, Random random) {
    int at = random.nextInt(document.length() + 1);
    int to = Math.min(document.length(), at + random.nextInt(20));
    String piece = PIECES[random.nextInt(PIECES.length)];
    return switch (random.nextInt(4)) {
      case 0 -> document.substring(0, at) + document.substring(to);
      case 1 -> document.substring(0, to) + document.substring(at);
      default -> document.substring(0, at) + piece + document.substring(at);
    };
  }
}
