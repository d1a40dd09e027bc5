package dev.gatehouse.common.page;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Selects the rules of our style sheet that can apply to a page: those with a selector whose classes and elements all occur in the
 * page. For pages that are sent very often, where the whole sheet would be most of the data.
 */
final class NeededRules {

  private static final Pattern ELEMENT = Pattern.compile("<([a-z][a-z0-9]*)");
  private static final Pattern CLASSES = Pattern.compile("class=\"([^\"]*)\"");

  /** The parts of a selector other than names: attributes and states. */
  private static final Pattern BESIDE_NAMES = Pattern.compile("\\[[^]]*]|::?[a-z-]+(\\([^)]*\\))?");

  private static final Pattern NAME = Pattern.compile("\\.?[a-z][a-z0-9-]*");

  /** Names of the page's elements, and of its classes with a dot in front. */
  private final Set<String> names = new HashSet<>();

  private NeededRules(String html) {
    ELEMENT.matcher(html).results().forEach(found -> names.add(found.group(1)));
    for (Matcher classes = CLASSES.matcher(html); classes.find(); ) {
      for (String name : classes.group(1).split(" ", -1)) {
        names.add("." + name);
      }
    }
  }

  /** @param css well-formed, without comments */
  static String of(String css, String html) {
    return new NeededRules(html).rules(css);
  }

  private String rules(String css) {
    StringBuilder kept = new StringBuilder();
    int start = 0;
    for (int open = css.indexOf('{'); open >= 0; open = css.indexOf('{', start)) {
      int end = end(css, open);
      String head = css.substring(start, open).strip();
      String body = css.substring(open + 1, end - 1);
      start = end;
      if (head.startsWith("@media")) {
        String inner = rules(body);
        if (!inner.isEmpty()) {
          kept.append(head).append("{\n").append(inner).append("}\n");
        }
      } else if (head.startsWith("@keyframes") ? kept.indexOf("animation:") >= 0 : isNeeded(head)) {
        kept.append(head).append('{').append(body).append("}\n");
      }
    }
    return kept.toString();
  }

  /** Returns the position behind the brace that closes the one at {@code open}. */
  private static int end(String css, int open) {
    int depth = 0;
    for (int i = open; i < css.length(); i++) {
      switch (css.charAt(i)) {
        case '{' -> depth++;
        case '}' -> depth--;
        default -> {}
      }
      if (depth == 0) {
        return i + 1;
      }
    }
    throw new IllegalStateException("the style sheet has a rule without end");
  }

  private boolean isNeeded(String selectors) {
    for (String selector : selectors.split(",", -1)) {
      boolean fits =
          NAME.matcher(BESIDE_NAMES.matcher(selector).replaceAll("")).results().allMatch(m -> names.contains(m.group()));
      if (fits) {
        return true;
      }
    }
    return false;
  }
}
