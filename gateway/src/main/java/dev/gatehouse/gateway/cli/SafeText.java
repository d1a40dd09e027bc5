package dev.gatehouse.gateway.cli;

import java.util.Locale;

/** Text for a terminal: values come from partners and people, and a control character in them would command the terminal. */
public final class SafeText {

  private SafeText() {}

  /** Returns the text on one line, with each control and formatting character as {@code \}{@code uXXXX}. */
  public static String line(String text) {
    return escaped(text, false);
  }

  /** Returns the text with its line breaks and tabs; otherwise as {@link #line}. In a JSON text this changes no value. */
  public static String lines(String text) {
    return escaped(text, true);
  }

  private static String escaped(String text, boolean lines) {
    if (text.chars().noneMatch(character -> isUnsafe(character) || Character.isSurrogate((char) character))) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              if ((point == '\n' || point == '\t') && lines || !isUnsafe(point)) {
                safe.appendCodePoint(point);
              } else {
                Character.toString(point).chars().forEach(unit -> safe.append(String.format(Locale.ROOT, "\\u%04x", unit)));
              }
            });
    return safe.toString();
  }

  private static boolean isUnsafe(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> false;
    };
  }
}
