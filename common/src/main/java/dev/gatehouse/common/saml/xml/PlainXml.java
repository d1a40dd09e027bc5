package dev.gatehouse.common.saml.xml;

import dev.gatehouse.common.saml.MessageRefused;
import java.util.ArrayList;
import java.util.List;
import org.xml.sax.helpers.AttributesImpl;

/**
 * Reads documents in the plain form that software writes, in one pass: elements, attributes and text, names in ASCII, the five
 * entities. Nearly all messages are of this form.
 *
 * <p>All other XML, and all errors, are left to the JDK's parser, which then reads the same document from its beginning. The only
 * requirement here: a document that is accepted is one that the parser would have accepted, with the same tree (XML 1.0, fifth
 * edition; Namespaces in XML 1.0). PlainXmlTest compares the two.
 */
final class PlainXml {

  /** Limits below the parser's own for names, attributes and depth (jdk.xml.*): larger documents are left to the parser. */
  private static final int LONGEST_NAME = 200;

  private static final int MAX_ATTRIBUTES = 100;
  private static final int DEEPEST = 100;

  private static final byte NAME_START = 1;
  private static final byte NAME = 2;
  private static final byte SPACE = 4;

  /** The kinds of the ASCII characters. */
  private static final byte[] KINDS = kinds();

  /**
   * An element without its end tag so far.
   *
   * @param bindings number of bindings in force around it
   */
  private record Open(String name, int bindings) {}

  /**
   * An attribute or a declaration as written.
   *
   * @param colon its position in {@code name}, or -1
   */
  private record Raw(String name, int colon, String value) {}

  /** The document, and a final character that is allowed nowhere, so that no loop needs to check for the end. */
  private final char[] text;

  private final BoundedTree tree;
  private final List<Open> open = new ArrayList<>();
  private final NamespaceBindings bindings = new NamespaceBindings();
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
   * Returns whether the document was read; if not, the tree must not be used. Throws {@link MessageRefused} for documents that the
   * tree refuses.
   *
   * @param document with an already checked XML declaration, if any
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
      throw NotPlain.INSTANCE;
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

  /** Reads a run of text and the tag behind it. */
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

  /** Reads up to the next tag. A carriage return would be normalised, so it is not plain; {@code ]]>} is not allowed here. */
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
        throw NotPlain.INSTANCE;
      }
      at++;
    }
    tree.characters(text, start, at - start);
  }

  /** Reads a tag behind its {@code <}. Comments, CDATA sections and processing instructions do not begin with a name: not plain. */
  private void startTag() {
    String name = name();
    int nameColon = colon;
    int around = bindings.size();
    raw.clear();
    boolean spaced = skipSpace();
    while (is(text[at], NAME_START)) {
      if (!spaced || raw.size() == MAX_ATTRIBUTES) {
        throw NotPlain.INSTANCE;
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
    String uri = nameColon < 0 ? bindings.uriOf("") : bindings.boundUriOf(name.substring(0, nameColon));
    String localName = name.substring(nameColon + 1);
    tree.startElement(uri, localName, name, attributes);
    if (empty) {
      tree.endElement(uri, localName, name);
      bindings.cutTo(around);
    } else if (open.size() == DEEPEST) {
      throw NotPlain.INSTANCE;
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
    bindings.cutTo(element.bindings());
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
        throw NotPlain.INSTANCE;
      }
    }
    raw.add(new Raw(name, nameColon, value));
    if (name.equals("xmlns")) {
      bindings.declare("", value);
    } else if (name.startsWith("xmlns:")) {
      bindings.declare(name.substring(nameColon + 1), value);
    }
  }

  /** Adds all attributes of a start tag at its end, since prefixes may be declared behind their use. */
  private void addAttributes() {
    attributes.clear();
    for (Raw each : raw) {
      String localName = each.name().substring(each.colon() + 1);
      boolean declares = each.name().equals("xmlns") || each.name().startsWith("xmlns:");
      String uri = declares || each.colon() < 0 ? "" : bindings.attributeUriOf(each.name().substring(0, each.colon()));
      if (!uri.isEmpty() && attributes.getIndex(uri, localName) >= 0) {
        throw NotPlain.INSTANCE;
      }
      attributes.addAttribute(uri, localName, each.name(), "CDATA", each.value());
    }
  }

  /** Reads a qualified name; sets {@link #colon} to the position of its colon. */
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
      throw NotPlain.INSTANCE;
    }
    return new String(text, start, at - start);
  }

  private void skipNcName() {
    if (!is(text[at], NAME_START)) {
      throw NotPlain.INSTANCE;
    }
    do {
      at++;
    } while (is(text[at], NAME));
  }

  /** Reads a value. Other white space than spaces would be normalised, so it is not plain. */
  private String value() {
    char quote = text[at];
    if (quote != '"' && quote != '\'') {
      throw NotPlain.INSTANCE;
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
        throw NotPlain.INSTANCE;
      }
      at++;
    }
    String rest = new String(text, start, at - start);
    at++;
    return whole ? rest : unescaped.append(rest).toString();
  }

  /** Appends the character of one of the five entities (XML 1.0, section 4.6). */
  private void entity() {
    unescaped.append(
        switch (entityName()) {
          case "amp" -> '&';
          case "lt" -> '<';
          case "gt" -> '>';
          case "quot" -> '"';
          case "apos" -> '\'';
          default -> throw NotPlain.INSTANCE;
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
      throw NotPlain.INSTANCE;
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

  /** The characters of XML 1.0 (production 2) from the space on, without those beyond 16 bits. */
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
