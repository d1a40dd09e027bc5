package dev.gatehouse.common.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.unbescape.html.HtmlEscape;

/**
 * Checks a realm's template for one of our pages. A template arranges what our own page shows: each expression in it is one of ours, under
 * the conditions that ours has, so that it evaluates nothing else, and fails nowhere. It has every form and control of ours and no others,
 * so that nobody is locked out and nothing is asked that nobody reads. The rest is plain HTML without script and style. The template is
 * written anew from what was checked, so that browsers read what we did.
 */
public final class TemplateCheck {

  /** The most characters of a template. */
  public static final int LONGEST = 64 << 10;

  /**
   * The result of a check.
   *
   * @param template the template as it is used; empty if there are problems
   * @param problems sentences that say where, what, and what would be right
   */
  public record Checked(String template, List<String> problems) {}

  private static final Set<String> ELEMENTS =
      Set.of(
          "main", "section", "article", "aside", "header", "footer", "nav", "div", "p", "span", "h1", "h2", "h3", "h4", "ul", "ol", "li",
          "dl", "dt", "dd", "a", "img", "strong", "em", "b", "i", "small", "abbr", "code", "pre", "blockquote", "figure", "figcaption",
          "br", "hr", "time", "details", "summary", "form", "fieldset", "legend", "label", "input", "button", "select", "option",
          "textarea", "th:block");

  private static final Set<String> VOID = Set.of("br", "hr", "img", "input");

  private static final Set<String> ATTRIBUTES =
      Set.of(
          "class", "id", "lang", "dir", "title", "alt", "role", "for", "hidden", "open", "tabindex", "href", "target", "rel", "datetime",
          "data-passkey", "data-options",
          "width", "height", "start", "type", "name", "value", "method", "form", "placeholder", "autocomplete", "autocapitalize",
          "autocorrect", "spellcheck", "inputmode", "minlength", "maxlength", "required", "readonly", "disabled", "checked", "autofocus",
          "rows", "cols");

  private static final Pattern ARIA = Pattern.compile("aria-[a-z]+");
  private static final Pattern LINK = Pattern.compile("https?://[^\\s\\\\]+|mailto:\\S+|tel:\\S+|#\\S*|/([^/\\\\\\s]\\S*)?");
  private static final Pattern TEXT = Pattern.compile("#\\{([a-z][A-Za-z0-9.-]*)}");

  /** What every page may show, as the frame around all does. */
  private static final Set<String> OF_BRAND =
      Set.of("th:text=${brand.displayName}", "th:src=${brand.logo}", "th:if=${brand.logo}");

  private static final Set<String> CONTROLS = Set.of("input", "button", "select", "textarea", "option");
  private static final List<String> TOLD_OF_CONTROL =
      List.of("type", "name", "value", "form", "disabled", "readonly", "th:name", "th:value", "th:checked", "th:disabled");
  private static final List<String> TOLD_OF_FORM = List.of("id", "method", "enctype", "th:action");
  private static final Set<String> ALERTS = Set.of("alert", "status");

  private final TemplateElement ours;
  private final List<String> problems = new ArrayList<>();

  private TemplateCheck(TemplateElement ours) {
    this.ours = ours;
  }

  /** Checks a template for a page that {@link ThemePages} knows. */
  public static Checked check(String page, String template) {
    if (template.length() > LONGEST) {
      return new Checked("", List.of("it is longer than " + (LONGEST >> 10) + " KB"));
    }
    String source = ThemePages.source(page);
    try {
      TemplateCheck check = new TemplateCheck(TemplateElement.main(source));
      TemplateElement main = TemplateElement.main(template);
      check.elements(main);
      check.controls(main);
      if (!check.problems.isEmpty()) {
        return new Checked("", List.copyOf(check.problems));
      }
      StringBuilder written = new StringBuilder();
      write(main, written);
      // Looked for in the result: comments between the brackets are gone there.
      if (written.indexOf("[[") >= 0 || written.indexOf("[(") >= 0) {
        return new Checked("", List.of("[[ and [( begin expressions within texts; use th:text, or write the brackets apart"));
      }
      // The frame is ours: it holds the title, and leads to the layout.
      int start = source.indexOf("<main");
      int end = source.lastIndexOf("</main>") + "</main>".length();
      return new Checked(source.substring(0, start) + written + source.substring(end), List.of());
    } catch (TemplateElement.Unreadable e) {
      return new Checked("", List.of(String.valueOf(e.getMessage())));
    }
  }

  private void elements(TemplateElement main) {
    for (TemplateElement element : main.all()) {
      if (!ELEMENTS.contains(element.name()) || element.name().equals("main") && !element.equals(main)) {
        problem(element, "<" + element.name() + "> is not used there");
      }
      element.attributes().forEach((name, value) -> attribute(element, name, value));
    }
  }

  private void attribute(TemplateElement element, String name, String value) {
    if (name.startsWith("th:")) {
      expression(element, name, value);
    } else if (!ATTRIBUTES.contains(name) && !ARIA.matcher(name).matches()) {
      String remedy = name.equals("style") ? "; use the classes of the style sheet" : "";
      problem(element, "the attribute " + name + " is not used in templates" + remedy);
    } else if (name.equals("href") && !LINK.matcher(value).matches()) {
      problem(element, "href leads nowhere that is allowed; write an https or mailto address, a path or #name");
    } else if (name.equals("disabled") && !isControl(element)) {
      problem(element, "disabled would turn off the controls within");
    }
  }

  private void expression(TemplateElement element, String name, String value) {
    String pair = name + "=" + value;
    if (name.equals("th:text") && element.content().stream().anyMatch(TemplateElement.class::isInstance)) {
      problem(element, "th:text replaces the elements within; give the text an element of its own");
    }
    Matcher key = TEXT.matcher(value);
    boolean isText = name.equals("th:text") && key.matches() && ThemeTexts.isKnown(key.group(1));
    if (isText || OF_BRAND.contains(pair)) {
      return;
    }
    List<TemplateElement> places = ours.all().stream().filter(place -> value.equals(place.attributes().get(name))).toList();
    if (places.isEmpty()) {
      problem(element, name + "=\"" + value + "\" is no expression of our page; use those of our template, or th:text=\"#{KEY}\"");
      return;
    }
    if (places.stream().noneMatch(place -> element.conditions().containsAll(place.conditions()))) {
      problem(
          element,
          name + "=\"" + value + "\" has no value everywhere; put it within " + String.join(" and ", places.getFirst().conditions()));
    }
  }

  /** Compares forms, controls and alerts with ours. */
  private void controls(TemplateElement main) {
    List<String> missing = told(ours, element -> true);
    List<String> present = told(main, element -> true);
    missing.stream().filter(Predicate.not(present::remove)).forEach(what -> problems.add("it lacks " + what));
    List<String> known = told(ours, element -> true);
    told(main, TemplateCheck::isControl).stream()
        .filter(Predicate.not(known::remove))
        .forEach(what -> problems.add("it has " + what + ", which our page does not have there; nothing reads it"));
  }

  /** Returns what a template must have, each with its conditions and form. */
  private static List<String> told(TemplateElement main, Predicate<TemplateElement> which) {
    return main.all().stream().filter(which).flatMap(TemplateCheck::told).collect(Collectors.toCollection(ArrayList::new));
  }

  private static Stream<String> told(TemplateElement element) {
    if (element.name().equals("form")) {
      return Stream.of(under(element, TemplateElement.tag("form", TOLD_OF_FORM, element.attributes())));
    }
    if (isControl(element)) {
      String within = element.form().isEmpty() ? "" : " within " + element.form();
      return Stream.of(under(element, TemplateElement.tag(element.name(), TOLD_OF_CONTROL, element.attributes()) + within));
    }
    String role = element.attributes().getOrDefault("role", "");
    return ALERTS.contains(role) ? Stream.of(under(element, "an element with role=\"" + role + "\"")) : Stream.empty();
  }

  private static boolean isControl(TemplateElement element) {
    return element.name().equals("form") || CONTROLS.contains(element.name());
  }

  private static String under(TemplateElement element, String what) {
    return element.conditions().isEmpty() ? what : what + " under " + String.join(" and ", element.conditions());
  }

  private void problem(TemplateElement element, String what) {
    problems.add("line " + element.line() + ": " + what);
  }

  private static void write(TemplateElement element, StringBuilder out) {
    out.append('<').append(element.name());
    element.attributes().forEach((name, value) -> out.append(' ').append(name).append("=\"").append(escaped(value)).append('"'));
    out.append('>');
    for (Object part : element.content()) {
      if (part instanceof TemplateElement child) {
        write(child, out);
      } else {
        out.append(escaped(String.valueOf(part)));
      }
    }
    if (!VOID.contains(element.name())) {
      out.append("</").append(element.name()).append('>');
    }
  }

  private static String escaped(String text) {
    return HtmlEscape.escapeHtml4Xml(text);
  }
}
