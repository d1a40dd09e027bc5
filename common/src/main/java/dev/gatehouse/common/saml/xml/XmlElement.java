package dev.gatehouse.common.saml.xml;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;

/**
 * An element of a document that is no message of SAML, for readers outside of these packages.
 *
 * @param namespace empty if it has none
 * @param name without prefix
 * @param attributes without namespace, by name
 * @param text of an element without children; empty otherwise
 */
public record XmlElement(String namespace, String name, Map<String, String> attributes, List<XmlElement> children, String text) {

  /** Parses a document, or throws {@link dev.gatehouse.common.saml.MessageRefused}. */
  public static XmlElement parse(HardenedParser parser, byte[] document) {
    return of(parser.parse(document).getDocumentElement());
  }

  private static XmlElement of(Element element) {
    Map<String, String> attributes = new TreeMap<>();
    NamedNodeMap all = element.getAttributes();
    for (int i = 0; i < all.getLength(); i++) {
      if (all.item(i) instanceof Attr attribute && attribute.getNamespaceURI() == null) {
        attributes.put(attribute.getName(), attribute.getValue());
      }
    }
    List<XmlElement> children = Dom.children(element).stream().map(XmlElement::of).toList();
    String namespace = Optional.ofNullable(element.getNamespaceURI()).orElse("");
    return new XmlElement(namespace, Dom.name(element), Map.copyOf(attributes), children, children.isEmpty() ? Dom.text(element) : "");
  }

  public Optional<String> attribute(String attribute) {
    return Optional.ofNullable(attributes.get(attribute));
  }

  /** Does not contain values, which may be secret. */
  @Override
  public String toString() {
    return "<" + name + ">";
  }
}
