package dev.gatehouse.common.saml.xml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Accesses DOM elements without nulls. Trees come from {@link HardenedParser}: elements, attributes and text only. */
public final class Dom {

  private Dom() {}

  public static boolean is(Element element, XmlNamespace namespace, String localName) {
    return localName.equals(element.getLocalName()) && namespace.uri().equals(element.getNamespaceURI());
  }

  public static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  public static List<Element> children(Element parent, XmlNamespace namespace, String localName) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && is(element, namespace, localName)) {
        children.add(element);
      }
    }
    return children;
  }

  /** Returns the first child of that name, for positions where {@link Grammar} allows at most one. */
  public static Optional<Element> child(Element parent, XmlNamespace namespace, String localName) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && is(element, namespace, localName)) {
        return Optional.of(element);
      }
    }
    return Optional.empty();
  }

  /** Returns the whole text of an element without child elements. */
  public static String text(Element element) {
    String text = element.getTextContent();
    return text == null ? "" : text;
  }

  public static boolean hasElements(Element element) {
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element) {
        return true;
      }
    }
    return false;
  }

  /** Returns an attribute without namespace. */
  public static Optional<String> attribute(Element element, String name) {
    @Nullable Attr attribute = element.getAttributeNodeNS(null, name);
    return attribute == null ? Optional.empty() : Optional.of(attribute.getValue());
  }

  /**
   * Returns {@code Name of the element} for details of refusals: the parser bounds names, and they have no control characters.
   */
  public static String name(Element element) {
    String local = element.getLocalName();
    return local.length() <= 80 ? local : local.substring(0, 80);
  }
}
