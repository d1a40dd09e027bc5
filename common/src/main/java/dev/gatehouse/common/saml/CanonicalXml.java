package dev.gatehouse.common.saml;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes XML that is its own exclusive canonical form (Exclusive XML Canonicalization 1.0): a namespace is declared
 * where an element first uses it and its ancestors do not, attributes are sorted, text is escaped as
 * canonicalisation does. So the octets that are signed are the octets that are sent, and no value can become
 * markup.
 */
final class CanonicalXml {

  private record Open(String name, Set<XmlNamespace> declared) {}

  private final StringBuilder out = new StringBuilder(4096);
  private final Deque<Open> open = new ArrayDeque<>();
  private final TreeMap<String, String> attributes = new TreeMap<>();
  private Optional<String> language = Optional.empty();
  private boolean inStartTag;
  private Optional<XmlNamespace> declares = Optional.empty();

  CanonicalXml start(XmlNamespace namespace, String localName) {
    endStartTag();
    Open parent = open.peek();
    Set<XmlNamespace> declared = parent == null ? EnumSet.noneOf(XmlNamespace.class) : parent.declared();
    if (!declared.contains(namespace)) {
      declared = EnumSet.copyOf(declared);
      declared.add(namespace);
      declares = Optional.of(namespace);
    }
    String name = namespace.prefix() + ':' + localName;
    open.push(new Open(name, declared));
    out.append('<').append(name);
    inStartTag = true;
    return this;
  }

  CanonicalXml attribute(String name, String value) {
    attributes.put(name, value);
    return this;
  }

  CanonicalXml attribute(String name, Optional<String> value) {
    value.ifPresent(v -> attributes.put(name, v));
    return this;
  }

  /** {@code xml:lang}, the only attribute with a namespace that we write. */
  CanonicalXml language(String tag) {
    language = Optional.of(tag);
    return this;
  }

  CanonicalXml text(String text) {
    endStartTag();
    escape(text, false);
    return this;
  }

  CanonicalXml end() {
    endStartTag();
    out.append("</").append(open.pop().name()).append('>');
    return this;
  }

  /** An element that holds text alone. */
  CanonicalXml element(XmlNamespace namespace, String localName, String text) {
    return start(namespace, localName).text(text).end();
  }

  /** An element without namespace that holds text alone; only where no default namespace can be, as here always. */
  CanonicalXml unqualified(String name, String text) {
    endStartTag();
    out.append('<').append(name).append('>');
    escape(text, false);
    out.append("</").append(name).append('>');
    return this;
  }

  /**
   * Puts in what another one wrote as a whole element, without the declaration that stands around it here already. No
   * other namespace may be declared here, since the element may declare it again further down.
   */
  CanonicalXml embed(String element) {
    endStartTag();
    Open parent = open.peek();
    if (parent == null || parent.declared().size() != 1) {
      throw new IllegalStateException("an element is embedded where one namespace is declared");
    }
    XmlNamespace namespace = parent.declared().iterator().next();
    String declaration = " xmlns:" + namespace.prefix() + "=\"" + namespace.uri() + '"';
    int nameEnd = element.indexOf(' ');
    boolean declares = element.startsWith(declaration, nameEnd);
    out.append(element, 0, nameEnd).append(element, nameEnd + (declares ? declaration.length() : 0), element.length());
    return this;
  }

  /** The number of characters so far, with the start tag closed: a place to come back to. */
  int position() {
    endStartTag();
    return out.length();
  }

  String since(int position) {
    return out.substring(position);
  }

  /** Puts in what another one wrote as a whole element. */
  void insert(int position, String element) {
    out.insert(position, element);
  }

  @Override
  public String toString() {
    return out.toString();
  }

  private void endStartTag() {
    if (!inStartTag) {
      return;
    }
    inStartTag = false;
    declares.ifPresent(ns -> out.append(" xmlns:").append(ns.prefix()).append("=\"").append(ns.uri()).append('"'));
    declares = Optional.empty();
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      writeAttribute(attribute.getKey(), attribute.getValue());
    }
    attributes.clear();
    language.ifPresent(tag -> writeAttribute("xml:lang", tag));
    language = Optional.empty();
    out.append('>');
  }

  private void writeAttribute(String name, String value) {
    out.append(' ').append(name).append("=\"");
    escape(value, true);
    out.append('"');
  }

  /** Canonical XML 1.0, section 2.3. Throws for what XML cannot carry: cutting it out would make two values one. */
  private void escape(String text, boolean attribute) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '\r' -> out.append("&#xD;");
        case '>' -> out.append(attribute ? ">" : "&gt;");
        case '"' -> out.append(attribute ? "&quot;" : "\"");
        case '\t' -> out.append(attribute ? "&#x9;" : "\t");
        case '\n' -> out.append(attribute ? "&#xA;" : "\n");
        default -> {
          boolean pair =
              Character.isHighSurrogate(c)
                  && i + 1 < text.length()
                  && Character.isLowSurrogate(text.charAt(i + 1));
          if (pair) {
            out.append(c).append(text.charAt(++i));
          } else if (c < 0x20 || Character.isSurrogate(c) || c > 0xFFFD) {
            throw new IllegalArgumentException("a character that XML cannot carry: U+%04X".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
  }
}
