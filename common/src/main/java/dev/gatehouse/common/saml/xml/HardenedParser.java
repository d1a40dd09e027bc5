package dev.gatehouse.common.saml.xml;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.MESSAGE_TOO_LARGE;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.XML_DOCTYPE;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.XML_NOT_WELL_FORMED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.XML_TOO_COMPLEX;

import dev.gatehouse.common.saml.MessageRefused;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.XMLReader;

/**
 * Parses a document that anybody may have sent to a DOM. Accepts UTF-8 and XML 1.0 only. DOCTYPE is refused before the XML parser
 * sees the document (and by the parser too), so there are no entities but the five of XML, and nothing is ever fetched. The rest
 * is bounded while it is read: see {@link BoundedTree}. {@link PlainXml} reads plain documents, the JDK's parser all others.
 */
public final class HardenedParser {

  private static final String APACHE = "http://apache.org/xml/features/";
  private static final String SAX = "http://xml.org/sax/features/";

  /**
   * The accepted XML 1.0 declarations (XML 1.0, section 2.8). An underscore stands for XML's white space (production 3), of which that of
   * regular expressions has more.
   */
  private static final Pattern DECLARATION =
      Pattern.compile(
          ("<\\?xml_+version_*=_*(?:\"1\\.0\"|'1\\.0')"
                  + "(?:_+encoding_*=_*(?:\"(?i:utf-8|us-ascii)\"|'(?i:utf-8|us-ascii)'))?"
                  + "(?:_+standalone_*=_*(?:\"(?:yes|no)\"|'(?:yes|no)'))?_*\\?>")
              .replace("_", "[ \\t\\r\\n]"));

  /** Parsers remember every name that they have read: one that has read this much is discarded. */
  private static final long MAX_CHARACTERS_PER_READER = 8L << 20;

  private final int maxBytes;
  private final BoundedTree.Limits limits;
  private final ArrayBlockingQueue<PooledReader> idle =
      new ArrayBlockingQueue<>(4 * Runtime.getRuntime().availableProcessors());

  public HardenedParser(int maxBytes, BoundedTree.Limits limits) {
    this.maxBytes = maxBytes;
    this.limits = limits;
  }

  /** Parses the document, or throws {@link MessageRefused}. */
  public Document parse(byte[] document) {
    if (document.length > maxBytes) {
      throw new MessageRefused(MESSAGE_TOO_LARGE, document.length + " bytes, at most " + maxBytes);
    }
    String text = text(document);
    checkDeclaration(text);
    return parse(text, Set.of()).document();
  }

  /**
   * Parses decrypted text as one element with the namespaces declared at its place in the message (XML Encryption 1.1, section
   * 4.4), in a document of its own.
   *
   * @param place the encrypted element
   * @param ids of the message; those of the new element are added
   */
  public Element parseInside(Element place, byte[] fragment, Set<String> ids) {
    String text = "<place" + NamespaceContext.declarations(place) + ">" + text(fragment) + "</place>";
    BoundedTree tree = parse(text, ids);
    ids.addAll(tree.ids());
    Element root = tree.document().getDocumentElement();
    List<Element> children = Dom.children(root);
    boolean alone = children.size() == 1;
    for (Node node = root.getFirstChild(); node != null; node = node.getNextSibling()) {
      alone &= node instanceof Element || String.valueOf(node.getNodeValue()).isBlank();
    }
    if (!alone) {
      throw new MessageRefused(XML_NOT_WELL_FORMED, "encrypted text that is not one element");
    }
    return children.getFirst();
  }

  /** @param ids that must not occur in the document */
  private BoundedTree parse(String text, Set<String> ids) {
    if (text.contains("<!DOCTYPE")) {
      throw new MessageRefused(XML_DOCTYPE, "a document type declaration");
    }
    BoundedTree plain = new BoundedTree(limits, ids);
    return PlainXml.read(text, plain) ? plain : parseByJdk(text, new BoundedTree(limits, ids));
  }

  /** Reads any XML, as far as the tree accepts it. */
  BoundedTree parseByJdk(String text, BoundedTree tree) {
    @Nullable PooledReader pooled = idle.poll();
    PooledReader reader = pooled == null ? new PooledReader(newReader()) : pooled;
    reader.parse(text, tree);
    if (reader.characters < MAX_CHARACTERS_PER_READER) {
      idle.offer(reader);
    }
    return tree;
  }

  private static String text(byte[] document) {
    if (isAscii(document)) {
      return new String(document, StandardCharsets.ISO_8859_1);
    }
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(document))
              .toString();
    } catch (CharacterCodingException e) {
      throw new MessageRefused(XML_NOT_WELL_FORMED, "not UTF-8");
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static boolean isAscii(byte[] document) {
    int bits = 0;
    for (byte b : document) {
      bits |= b;
    }
    return bits >= 0;
  }

  private static void checkDeclaration(String text) {
    boolean declares = text.startsWith("<?xml") && text.length() > 5 && Character.isWhitespace(text.charAt(5));
    if (declares && !DECLARATION.matcher(text).lookingAt()) {
      throw new MessageRefused(XML_NOT_WELL_FORMED, "the XML declaration is not one of XML 1.0 in UTF-8");
    }
  }

  private static XMLReader newReader() {
    try {
      SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
      factory.setNamespaceAware(true);
      factory.setXIncludeAware(false);
      factory.setValidating(false);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature(APACHE + "disallow-doctype-decl", true);
      factory.setFeature(APACHE + "nonvalidating/load-external-dtd", false);
      factory.setFeature(SAX + "external-general-entities", false);
      factory.setFeature(SAX + "external-parameter-entities", false);
      // Namespace declarations must reach the tree, because canonicalisation needs them.
      factory.setFeature(SAX + "namespace-prefixes", true);
      SAXParser parser = factory.newSAXParser();
      parser.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      parser.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      return parser.getXMLReader();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("the JDK's XML parser cannot be hardened", e);
    }
  }

  /** A reader and the amount that it has read. Used by one thread at a time; not returned to the pool after a refusal. */
  private static final class PooledReader {
    private final XMLReader reader;
    private long characters;

    PooledReader(XMLReader reader) {
      this.reader = reader;
    }

    void parse(String text, BoundedTree tree) {
      characters += text.length();
      reader.setContentHandler(tree);
      reader.setErrorHandler(tree);
      reader.setEntityResolver(tree);
      try {
        reader.parse(new InputSource(new StringReader(text)));
      } catch (SAXParseException e) {
        String message = String.valueOf(e.getMessage());
        // The prefix of messages about the JDK's own limits (jdk.xml.*), which are wider than ours but are checked earlier.
        boolean limit = message.startsWith("JAXP0001");
        throw new MessageRefused(
            limit ? XML_TOO_COMPLEX : XML_NOT_WELL_FORMED,
            "line " + e.getLineNumber() + ", column " + e.getColumnNumber());
      } catch (SAXException | IOException e) {
        throw new MessageRefused(XML_NOT_WELL_FORMED, e.getClass().getSimpleName());
      }
    }
  }
}
