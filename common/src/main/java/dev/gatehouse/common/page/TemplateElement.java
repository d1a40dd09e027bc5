package dev.gatehouse.common.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.attoparser.ParseException;
import org.attoparser.config.ParseConfiguration;
import org.attoparser.config.ParseConfiguration.ElementBalancing;
import org.attoparser.config.ParseConfiguration.UniqueRootElementPresence;
import org.attoparser.dom.Comment;
import org.attoparser.dom.DOMMarkupParser;
import org.attoparser.dom.DocType;
import org.attoparser.dom.Element;
import org.attoparser.dom.INestableNode;
import org.attoparser.dom.INode;
import org.attoparser.dom.Text;
import org.unbescape.html.HtmlEscape;

/**
 * An element of a template's {@code main}, with what decides whether and where it is shown. Read by the parser that the template engine
 * uses, so that both see the same.
 *
 * @param name in lower case
 * @param line in the template's text
 * @param attributes by their names in lower case, decoded; one without a value has an empty one
 * @param conditions of this element and those around it, the outermost first
 * @param form how the form around it is addressed; empty outside of forms
 * @param content texts (decoded) and elements
 */
record TemplateElement(
    String name, int line, Map<String, String> attributes, List<String> conditions, String form, List<Object> content) {

  /** Attributes by which an element is shown, or not, or repeatedly. */
  static final List<String> CONDITIONS = List.of("th:each", "th:switch", "th:if", "th:unless", "th:case");

  private static final int DEEPEST = 40;
  private static final Set<String> AROUND = Set.of("html", "body");
  private static final List<String> TOLD_OF_FORM = List.of("method", "th:action");

  /** Signals a template that cannot be read; the message says why. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    Unreadable(String message) {
      super(message, null, false, false);
    }
  }

  /** Reads a template: one {@code main}, with or without {@code html} and {@code body} around it. */
  static TemplateElement main(String template) throws Unreadable {
    List<Element> found = new ArrayList<>();
    find(parse(template), found, 0);
    if (found.size() != 1) {
      String number = found.isEmpty() ? "no" : "more than one";
      throw new Unreadable("it has " + number + " <main>; write <main class=\"card\" id=\"main\"> … </main>");
    }
    return of(found.getFirst(), List.of(), "", 1);
  }

  private static INestableNode parse(String template) throws Unreadable {
    ParseConfiguration strict = ParseConfiguration.htmlConfiguration();
    strict.setElementBalancing(ElementBalancing.REQUIRE_BALANCED);
    strict.setNoUnmatchedCloseElementsRequired(true);
    strict.setUniqueAttributesInElementRequired(true);
    strict.setUniqueRootElementPresence(UniqueRootElementPresence.NOT_VALIDATED);
    try {
      return new DOMMarkupParser(strict).parse(template);
    } catch (ParseException e) {
      String line = e.getLine() == null ? "" : "line " + e.getLine() + ": ";
      throw new Unreadable(line + "it is not well-formed; close every element that was opened, and write each attribute once");
    }
  }

  private static void find(INestableNode parent, List<Element> found, int depth) throws Unreadable {
    for (INode node : parent.getChildren()) {
      switch (node) {
        case Element main when main.getElementName().equalsIgnoreCase("main") -> found.add(main);
        case Element around when AROUND.contains(lower(around.getElementName())) && depth < AROUND.size() -> find(around, found, depth + 1);
        case Text text when text.getContent().isBlank() -> {}
        case Comment comment -> {}
        case DocType docType -> {}
        default -> throw new Unreadable(place(node) + "only what stands within <main> is used; move it there, or remove it");
      }
    }
  }

  private static TemplateElement of(Element element, List<String> around, String form, int depth) throws Unreadable {
    if (depth > DEEPEST) {
      throw new Unreadable(place(element) + "elements stand more than " + DEEPEST + " deep within each other");
    }
    String name = lower(element.getElementName());
    Map<String, String> attributes = attributes(element);
    List<String> conditions = new ArrayList<>(around);
    CONDITIONS.stream().filter(attributes::containsKey).forEach(key -> conditions.add(shown(key, attributes)));
    if (name.equals("form") && !form.isEmpty()) {
      throw new Unreadable(place(element) + "a form stands within a form");
    }
    String within = name.equals("form") ? tag(name, TOLD_OF_FORM, attributes) : form;
    List<Object> content = new ArrayList<>();
    for (INode node : element.getChildren()) {
      switch (node) {
        case Element child -> content.add(of(child, conditions, within, depth + 1));
        case Text text -> content.add(HtmlEscape.unescapeHtml(text.getContent()));
        case Comment comment -> {}
        default -> throw new Unreadable(place(node) + "only elements, texts and comments are used");
      }
    }
    return new TemplateElement(name, line(element), attributes, List.copyOf(conditions), within, List.copyOf(content));
  }

  private static Map<String, String> attributes(Element element) {
    Map<String, String> attributes = new LinkedHashMap<>();
    element.getAttributeMap().forEach(
        (name, value) -> attributes.put(lower(name), Optional.ofNullable(value).map(HtmlEscape::unescapeHtml).orElse("")));
    return attributes;
  }

  /** Returns this element and those in it, in the order of the text. */
  List<TemplateElement> all() {
    List<TemplateElement> all = new ArrayList<>();
    collect(all);
    return all;
  }

  private void collect(List<TemplateElement> all) {
    all.add(this);
    content.forEach(
        part -> {
          if (part instanceof TemplateElement child) {
            child.collect(all);
          }
        });
  }

  /** Returns an element as the text of a template, with those attributes that it has. */
  static String tag(String name, List<String> told, Map<String, String> attributes) {
    StringBuilder tag = new StringBuilder("<").append(name);
    told.stream().filter(attributes::containsKey).forEach(key -> tag.append(' ').append(shown(key, attributes)));
    return tag.append('>').toString();
  }

  private static String shown(String key, Map<String, String> attributes) {
    String value = attributes.getOrDefault(key, "");
    return value.isEmpty() ? key : key + "=\"" + value + "\"";
  }

  private static int line(INode node) {
    Integer line = node.getLine();
    return line == null ? 1 : line;
  }

  private static String place(INode node) {
    return "line " + line(node) + ": ";
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
