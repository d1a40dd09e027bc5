package dev.gatehouse.common.saml.xml;

import java.util.Map;
import java.util.TreeMap;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** The namespaces in scope at an element of a tree. */
final class NamespaceContext {

  private NamespaceContext() {}

  /** Returns declarations as attributes of a start tag, each with a space in front. */
  static String declarations(Element place) {
    Map<String, String> declared = new TreeMap<>();
    for (Node node = place; node instanceof Element element; node = node.getParentNode()) {
      NamedNodeMap attributes = element.getAttributes();
      for (int i = 0; i < attributes.getLength(); i++) {
        Attr attribute = (Attr) attributes.item(i);
        if (XmlNamespace.XMLNS.equals(attribute.getNamespaceURI())) {
          declared.putIfAbsent(attribute.getName(), attribute.getValue());
        }
      }
    }
    StringBuilder tag = new StringBuilder();
    declared.forEach((name, uri) -> tag.append(' ').append(name).append("=\"").append(escaped(uri)).append('"'));
    return tag.toString();
  }

  private static String escaped(String uri) {
    return uri.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
