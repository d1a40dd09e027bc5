package dev.gatehouse.sp.edge;

import java.util.List;

/**
 * A configured pattern for values that count: {@code *} matches any run of characters, every other character matches
 * itself.
 */
final class ValuePattern {

  private final List<String> literals;

  ValuePattern(String text) {
    this.literals = List.of(text.split("\\*", -1));
  }

  /** Reads each character of the value a bounded number of times, whatever the pattern. */
  boolean matches(String value) {
    String first = literals.getFirst();
    if (literals.size() == 1) {
      return value.equals(first);
    }
    String last = literals.getLast();
    int end = value.length() - last.length();
    if (!value.startsWith(first) || !value.endsWith(last) || end < first.length()) {
      return false;
    }
    int at = first.length();
    for (String literal : literals.subList(1, literals.size() - 1)) {
      int found = value.indexOf(literal, at);
      if (found < 0 || found + literal.length() > end) {
        return false;
      }
      at = found + literal.length();
    }
    return true;
  }
}
