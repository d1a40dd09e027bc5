package dev.gatehouse.common.saml.xml;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.XML_DUPLICATE_ID;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.XML_PROCESSING_INSTRUCTION;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.XML_TOO_COMPLEX;

import dev.gatehouse.common.saml.MessageRefused;
import java.util.HashSet;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.DOMImplementation;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Builds a tree of elements, attributes and text from SAX events. Refuses it as soon as it exceeds its limits, or contains a
 * processing instruction or the same ID twice.
 *
 * <p>Comments and the boundaries of CDATA sections never enter the tree, so that a value is one text node: the text that is read
 * is exactly the text that exclusive canonicalisation without comments digests.
 */
public final class BoundedTree extends DefaultHandler {

  /**
   * @param attributes per element, including namespace declarations
   */
  public record Limits(int depth, int elements, int attributes) {}

  private static final DOMImplementation DOM = dom();

  private final Limits limits;
  private final Document document;
  private final StringBuilder text = new StringBuilder();
  private final Set<String> ids;
  private Node parent;
  private int depth;
  private int elements;

  /** @param ids of the rest of the message */
  BoundedTree(Limits limits, Set<String> ids) {
    this.limits = limits;
    this.ids = new HashSet<>(ids);
    this.document = DOM.createDocument(null, null, null);
    // The parser has already checked every name.
    this.document.setStrictErrorChecking(false);
    this.parent = document;
  }

  Document document() {
    return document;
  }

  /** Returns the IDs of the rest of the message and of this tree. */
  Set<String> ids() {
    return ids;
  }

  @Override
  public void startElement(String uri, String localName, String qName, Attributes attributes) {
    endText();
    if (++depth > limits.depth()) {
      throw new MessageRefused(XML_TOO_COMPLEX, "deeper than " + limits.depth());
    }
    if (++elements > limits.elements()) {
      throw new MessageRefused(XML_TOO_COMPLEX, "more than " + limits.elements() + " elements");
    }
    if (attributes.getLength() > limits.attributes()) {
      throw new MessageRefused(XML_TOO_COMPLEX, "an element of more than " + limits.attributes() + " attributes");
    }
    Element element = document.createElementNS(uri.isEmpty() ? null : uri, qName);
    for (int i = 0; i < attributes.getLength(); i++) {
      addAttribute(element, attributes, i);
    }
    parent.appendChild(element);
    parent = element;
  }

  private void addAttribute(Element element, Attributes attributes, int i) {
    String name = attributes.getQName(i);
    String value = attributes.getValue(i);
    if (name.equals("xmlns") || name.startsWith("xmlns:")) {
      element.setAttributeNS(XmlNamespace.XMLNS, name, value);
      return;
    }
    String uri = attributes.getURI(i);
    if (isId(uri, name) && !ids.add(value)) {
      throw new MessageRefused(XML_DUPLICATE_ID, "two elements of one ID");
    }
    element.setAttributeNS(uri.isEmpty() ? null : uri, name, value);
  }

  public static boolean isId(@Nullable String namespace, String qName) {
    return namespace == null || namespace.isEmpty() ? qName.equalsIgnoreCase("ID") : qName.equals("xml:id");
  }

  @Override
  public void endElement(String uri, String localName, String qName) {
    endText();
    depth--;
    @Nullable Node outer = parent.getParentNode();
    parent = outer == null ? document : outer;
  }

  @Override
  public void characters(char[] characters, int start, int length) {
    text.append(characters, start, length);
  }

  private void endText() {
    if (!text.isEmpty()) {
      parent.appendChild(document.createTextNode(text.toString()));
      text.setLength(0);
    }
  }

  @Override
  public void processingInstruction(String target, String data) {
    throw new MessageRefused(XML_PROCESSING_INSTRUCTION, "a processing instruction");
  }

  @Override
  public InputSource resolveEntity(@Nullable String publicId, String systemId) throws SAXException {
    throw new SAXException("external entities do not exist here");
  }

  @Override
  public void error(SAXParseException e) throws SAXException {
    throw e;
  }

  private static DOMImplementation dom() {
    try {
      return DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().getDOMImplementation();
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("the JDK has no DOM", e);
    }
  }
}
