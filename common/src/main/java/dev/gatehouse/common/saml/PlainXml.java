package dev.gatehouse.common.saml;

import java.util.ArrayList;
import java.util.List;
import org.xml.sax.helpers.AttributesImpl;

/**
 * Reads documents in the plain form that software writes, in one pass: elements, attributes and text, names in ASCII, the
 * five entities. Nearly all messages are such.
 *
 * <p>All else that XML can say, and all that is wrong, is left to the JDK's parser, which then reads the same document from
 * its beginning: here it need only be certain that a document which is read is one that the parser would have read, as the
 * same tree (XML 1.0, fifth edition; Namespaces in XML 1.0). PlainXmlTest compares the two.
 */
final class PlainXml {

  /** The parser has limits of its own for names, attributes and depth (jdk.xml.*): whoever comes near goes there. */
  private static final int LONGEST_NAME = 200;

  private static final int MOST_ATTRIBUTES = 100;
  private static final int DEEPEST = 100;

  /** Each use of a prefix looks through them. */
  private static final int MOST_BINDINGS = 50;

  private static final byte NAME_START = 1;
  private static final byte NAME = 2;
  private static final byte SPACE = 4;

  /** What the characters of ASCII may be. */
  private static final byte[] KINDS = kinds();

  /** Ends the reading of a document that is not plain; carries nothing. */
  private static final class NotPlain extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotPlain() {
      super("not plain", null, false, false);
    }
  }

  private static final NotPlain NOT_PLAIN = new NotPlain();

  /** A declared prefix, empty for the default namespace; an empty {@code uri} takes that back. */
  private record Binding(String prefix, String uri) {}

  /** An element whose end tag is still to come. @param bindings how many were in force around it */
  private record Open(String name, int bindings) {}

  /** An attribute, or a declaration, as it stands. @param colon its place in {@code name}, or -1 */
  private record Raw(String name, int colon, String value) {}

  /** The document and a character that is nowhere allowed, so that nobody need look for the end. */
  private final char[] text;

  private final BoundedTree tree;
  private final List<Open> open = new ArrayList<>();
  private final List<Binding> bindings = new ArrayList<>();
  private final List<Raw> raw = new ArrayList<>();
  private final AttributesImpl attributes = new AttributesImpl();
  private final StringBuilder unescaped = new StringBuilder();
  private int at;
  private int colon;

  private PlainXml(String document, BoundedTree tree) {
    this.text = new char[document.length() + 1];
    document.getChars(0, document.length(), text, 0);
    this.tree = tree;
  }

  /**
   * Whether the document was read. If not, the tree is of no use. Throws {@link MessageRefused} for what the tree refuses.
   *
   * @param document whose XML declaration, if it has one, was checked
   */
  static boolean read(String document, BoundedTree tree) {
    try {
      new PlainXml(document, tree).document();
      return true;
    } catch (NotPlain e) {
      return false;
    }
  }

  /** XML 1.0, production 1. */
  private void document() {
    skipDeclaration();
    skipSpace();
    require('<');
    startTag();
    while (!open.isEmpty()) {
      content();
    }
    skipSpace();
    if (at != text.length - 1) {
      throw NOT_PLAIN;
    }
  }

  private void skipDeclaration() {
    boolean declares = text.length > 6 && new String(text, 0, 5).equals("<?xml") && is(text[5], SPACE);
    if (declares) {
      while (text[at] != '>' && at < text.length - 1) {
        at++;
      }
      require('>');
    }
  }

  /** One run of text, and the tag behind it. */
  private void content() {
    characters();
    at++;
    if (text[at] == '/') {
      at++;
      endTag();
    } else {
      startTag();
    }
  }

  /** Up to the next tag. A carriage return would be normalised, so it is not plain; {@code ]]>} may not stand here. */
  private void characters() {
    int start = at;
    for (char c = text[at]; c != '<'; c = text[at]) {
      if (c == '&') {
        tree.characters(text, start, at - start);
        unescaped.setLength(0);
        entity();
        tree.characters(new char[] {unescaped.charAt(0)}, 0, 1);
        start = at;
        continue;
      }
      boolean endsSection = c == ']' && text[at + 1] == ']' && text[at + 2] == '>';
      if (endsSection || (!isPlain(c) && c != '\n' && c != '\t')) {
        throw NOT_PLAIN;
      }
      at++;
    }
    tree.characters(text, start, at - start);
  }

  /** Behind its {@code <}: so a comment, a CDATA section or a processing instruction is no name, and not plain. */
  private void startTag() {
    String name = name();
    int nameColon = colon;
    int around = bindings.size();
    raw.clear();
    boolean spaced = skipSpace();
    while (is(text[at], NAME_START)) {
      if (!spaced || raw.size() == MOST_ATTRIBUTES) {
        throw NOT_PLAIN;
      }
      attribute();
      spaced = skipSpace();
    }
    boolean empty = text[at] == '/';
    if (empty) {
      at++;
    }
    require('>');
    addAttributes();
    String uri = nameColon < 0 ? uriOf("") : boundUriOf(name.substring(0, nameColon));
    String localName = name.substring(nameColon + 1);
    tree.startElement(uri, localName, name, attributes);
    if (empty) {
      tree.endElement(uri, localName, name);
      leave(around);
    } else if (open.size() == DEEPEST) {
      throw NOT_PLAIN;
    } else {
      open.add(new Open(name, around));
    }
  }

  private void endTag() {
    Open element = open.removeLast();
    String name = element.name();
    for (int i = 0; i < name.length(); i++) {
      require(name.charAt(i));
    }
    skipSpace();
    require('>');
    tree.endElement("", "", name);
    leave(element.bindings());
  }

  private void leave(int around) {
    while (bindings.size() > around) {
      bindings.removeLast();
    }
  }

  private void attribute() {
    String name = name();
    int nameColon = colon;
    skipSpace();
    require('=');
    skipSpace();
    String value = value();
    for (Raw before : raw) {
      if (before.name().equals(name)) {
        throw NOT_PLAIN;
      }
    }
    raw.add(new Raw(name, nameColon, value));
    if (name.equals("xmlns")) {
      declare("", value);
    } else if (name.startsWith("xmlns:")) {
      declare(name.substring(nameColon + 1), value);
    }
  }

  /** Namespaces in XML 1.0, section 3; what is reserved there is not plain. */
  private void declare(String prefix, String uri) {
    boolean reserved =
        prefix.equals("xml")
            || prefix.equals("xmlns")
            || uri.equals(XmlNamespace.XML)
            || uri.equals(XmlNamespace.XMLNS)
            || (uri.isEmpty() && !prefix.isEmpty());
    if (reserved || bindings.size() == MOST_BINDINGS) {
      throw NOT_PLAIN;
    }
    bindings.add(new Binding(prefix, uri));
  }

  /** All of a start tag: prefixes may be declared behind their use. */
  private void addAttributes() {
    attributes.clear();
    for (Raw each : raw) {
      String localName = each.name().substring(each.colon() + 1);
      boolean declares = each.name().equals("xmlns") || each.name().startsWith("xmlns:");
      String uri = declares || each.colon() < 0 ? "" : attributeUriOf(each.name().substring(0, each.colon()));
      if (!uri.isEmpty() && attributes.getIndex(uri, localName) >= 0) {
        throw NOT_PLAIN;
      }
      attributes.addAttribute(uri, localName, each.name(), "CDATA", each.value());
    }
  }

  private String attributeUriOf(String prefix) {
    return prefix.equals("xml") ? XmlNamespace.XML : boundUriOf(prefix);
  }

  private String boundUriOf(String prefix) {
    String uri = uriOf(prefix);
    if (uri.isEmpty()) {
      throw NOT_PLAIN;
    }
    return uri;
  }

  /** Empty where the prefix is not bound. */
  private String uriOf(String prefix) {
    for (int i = bindings.size() - 1; i >= 0; i--) {
      if (bindings.get(i).prefix().equals(prefix)) {
        return bindings.get(i).uri();
      }
    }
    return "";
  }

  /** A qualified name; {@link #colon} is the place of its colon then. */
  private String name() {
    int start = at;
    colon = -1;
    skipNcName();
    if (text[at] == ':') {
      colon = at - start;
      at++;
      skipNcName();
    }
    if (at - start > LONGEST_NAME) {
      throw NOT_PLAIN;
    }
    return new String(text, start, at - start);
  }

  private void skipNcName() {
    if (!is(text[at], NAME_START)) {
      throw NOT_PLAIN;
    }
    do {
      at++;
    } while (is(text[at], NAME));
  }

  /** White space in values would be normalised, so only spaces are plain. */
  private String value() {
    char quote = text[at];
    if (quote != '"' && quote != '\'') {
      throw NOT_PLAIN;
    }
    int start = ++at;
    boolean whole = true;
    for (char c = text[at]; c != quote; c = text[at]) {
      if (c == '&') {
        if (whole) {
          unescaped.setLength(0);
          whole = false;
        }
        unescaped.append(text, start, at - start);
        entity();
        start = at;
        continue;
      }
      if (c == '<' || !isPlain(c)) {
        throw NOT_PLAIN;
      }
      at++;
    }
    String rest = new String(text, start, at - start);
    at++;
    return whole ? rest : unescaped.append(rest).toString();
  }

  /** Appends the character that one of the five entities stands for (XML 1.0, section 4.6). */
  private void entity() {
    unescaped.append(
        switch (entityName()) {
          case "amp" -> '&';
          case "lt" -> '<';
          case "gt" -> '>';
          case "quot" -> '"';
          case "apos" -> '\'';
          default -> throw NOT_PLAIN;
        });
  }

  private String entityName() {
    int start = ++at;
    skipNcName();
    String name = new String(text, start, at - start);
    require(';');
    return name;
  }

  private void require(char c) {
    if (text[at] != c) {
      throw NOT_PLAIN;
    }
    at++;
  }

  private boolean skipSpace() {
    int start = at;
    while (is(text[at], SPACE)) {
      at++;
    }
    return at > start;
  }

  /** The characters of XML 1.0 (production 2) from the space on, but for those beyond 16 bits. */
  private static boolean isPlain(char c) {
    return c >= ' ' && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) && c <= '\uFFFD';
  }

  private static boolean is(char c, byte kind) {
    return c < KINDS.length && (KINDS[c] & kind) != 0;
  }

  private static byte[] kinds() {
    byte[] kinds = new byte[128];
    for (char c = 0; c < kinds.length; c++) {
      boolean starts = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean follows = starts || c == '-' || c == '.' || (c >= '0' && c <= '9');
      boolean space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      kinds[c] = (byte) ((starts ? NAME_START : 0) | (follows ? NAME : 0) | (space ? SPACE : 0));
    }
    return kinds;
  }
}
