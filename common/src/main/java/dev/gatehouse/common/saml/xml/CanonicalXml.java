package dev.gatehouse.common.saml.xml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes XML that is its own exclusive canonical form (Exclusive XML Canonicalization 1.0): a namespace is declared where an
 * element first uses it unless an ancestor declares it, attributes are sorted, and text is escaped as canonicalisation does. The
 * octets that are signed are therefore the octets that are sent, and no value can become markup.
 */
public final class CanonicalXml {

  /** @param declared one bit for each namespace whose prefix is declared here */
  private record Open(XmlNamespace namespace, String localName, int declared) {}

  private record Attribute(String name, String value) {}

  private final StringBuilder out = new StringBuilder(4096);
  private final List<Open> open = new ArrayList<>();

  /** Attributes of the start tag that is not closed yet, sorted by name. */
  private final List<Attribute> attributes = new ArrayList<>();

  private Optional<String> language = Optional.empty();
  private boolean inStartTag;
  private Optional<XmlNamespace> declares = Optional.empty();

  public CanonicalXml start(XmlNamespace namespace, String localName) {
    endStartTag();
    int declared = open.isEmpty() ? 0 : open.getLast().declared();
    int own = 1 << namespace.ordinal();
    if ((declared & own) == 0) {
      declares = Optional.of(namespace);
    }
    open.add(new Open(namespace, localName, declared | own));
    out.append('<').append(namespace.prefix()).append(':').append(localName);
    inStartTag = true;
    return this;
  }

  /** Adds an attribute; the last value of a name wins. */
  public CanonicalXml attribute(String name, String value) {
    int place = attributes.size();
    while (place > 0) {
      int order = attributes.get(place - 1).name().compareTo(name);
      if (order == 0) {
        attributes.set(place - 1, new Attribute(name, value));
        return this;
      }
      if (order < 0) {
        break;
      }
      place--;
    }
    attributes.add(place, new Attribute(name, value));
    return this;
  }

  public CanonicalXml attribute(String name, Optional<String> value) {
    value.ifPresent(v -> attribute(name, v));
    return this;
  }

  /** Sets {@code xml:lang}, the only attribute with a namespace that we write. */
  public CanonicalXml language(String tag) {
    language = Optional.of(tag);
    return this;
  }

  public CanonicalXml text(String text) {
    endStartTag();
    escape(out, text, false);
    return this;
  }

  public CanonicalXml end() {
    endStartTag();
    Open element = open.removeLast();
    out.append("</").append(element.namespace().prefix()).append(':').append(element.localName()).append('>');
    return this;
  }

  /** Writes an element that contains only text. */
  public CanonicalXml element(XmlNamespace namespace, String localName, String text) {
    return start(namespace, localName).text(text).end();
  }

  /** Writes an element without namespace that contains only text; possible because no default namespace is ever declared here. */
  public CanonicalXml unqualified(String name, String text) {
    endStartTag();
    out.append('<').append(name).append('>');
    escape(out, text, false);
    out.append("</").append(name).append('>');
    return this;
  }

  /**
   * Embeds a whole element from another writer, without the namespace declaration that an ancestor has already. No other
   * namespace may be declared here, since the element may declare it again further down.
   */
  public CanonicalXml embed(String element) {
    endStartTag();
    if (open.isEmpty() || Integer.bitCount(open.getLast().declared()) != 1) {
      throw new IllegalStateException("an element is embedded where one namespace is declared");
    }
    XmlNamespace namespace = open.getLast().namespace();
    String declaration = " xmlns:" + namespace.prefix() + "=\"" + namespace.uri() + '"';
    int nameEnd = element.indexOf(' ');
    boolean declares = element.startsWith(declaration, nameEnd);
    out.append(element, 0, nameEnd).append(element, nameEnd + (declares ? declaration.length() : 0), element.length());
    return this;
  }

  /** Closes the start tag and returns the number of characters so far, for a later insertion. */
  public int position() {
    endStartTag();
    return out.length();
  }

  public String since(int position) {
    return out.substring(position);
  }

  /** Inserts a whole element from another writer. */
  public void insert(int position, String element) {
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
    for (Attribute attribute : attributes) {
      writeAttribute(attribute.name(), attribute.value());
    }
    attributes.clear();
    language.ifPresent(tag -> writeAttribute("xml:lang", tag));
    language = Optional.empty();
    out.append('>');
  }

  private void writeAttribute(String name, String value) {
    out.append(' ').append(name).append("=\"");
    escape(out, value, true);
    out.append('"');
  }

  /** Returns the value escaped for an attribute in quotation marks. */
  public static String attributeValue(String value) {
    StringBuilder out = new StringBuilder(value.length());
    escape(out, value, true);
    return out.toString();
  }

  /** Canonical XML 1.0, section 2.3. Throws for characters that XML cannot contain: removing them could make two values equal. */
  private static void escape(StringBuilder out, String text, boolean attribute) {
    int written = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // Most characters need no escape.
      if (c >= ' ' && c < Character.MIN_SURROGATE && c != '&' && c != '<' && c != '>' && c != '"') {
        continue;
      }
      if (isPair(text, i)) {
        i++;
        continue;
      }
      out.append(text, written, i).append(escaped(c, attribute));
      written = i + 1;
    }
    if (written == 0) {
      out.append(text);
    } else {
      out.append(text, written, text.length());
    }
  }

  private static boolean isPair(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }

  private static String escaped(char c, boolean attribute) {
    return switch (c) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '\r' -> "&#xD;";
      case '>' -> attribute ? ">" : "&gt;";
      case '"' -> attribute ? "&quot;" : "\"";
      case '\t' -> attribute ? "&#x9;" : "\t";
      case '\n' -> attribute ? "&#xA;" : "\n";
      default -> {
        if (c < 0x20 || Character.isSurrogate(c) || c > 0xFFFD) {
          throw new IllegalArgumentException("a character that XML cannot carry: U+%04X".formatted((int) c));
        }
        yield String.valueOf(c);
      }
    };
  }
}
