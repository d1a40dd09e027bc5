package dev.gatehouse.common.audit.search;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads most lines of the log in a third of a parser's time: an object of texts without escapes, whole numbers and flags, without spaces
 * between them. Any other line is left to the parser.
 */
final class PlainLine {

  private static final int END = -1;
  private static final int OTHER = -2;

  private final byte[] line;
  private final Set<String> wanted;
  private final Map<String, String> fields = new HashMap<>();

  private PlainLine(byte[] line, Set<String> wanted) {
    this.line = line;
    this.wanted = wanted;
  }

  /** Returns the wanted fields that are texts, each of them as it is first; empty for a line that is another kind of JSON, or none. */
  static Optional<Map<String, String>> fields(byte[] line, Set<String> wanted) {
    PlainLine plain = new PlainLine(line, wanted);
    int at = line.length > 2 && line[0] == '{' ? 1 : OTHER;
    while (at >= 0) {
      at = plain.field(at);
    }
    return at == END ? Optional.of(plain.fields) : Optional.empty();
  }

  /** Reads a field; returns where the next one begins. */
  private int field(int from) {
    int name = text(from);
    if (name < 0 || name + 2 >= line.length || line[name + 1] != ':') {
      return OTHER;
    }
    int value = name + 2;
    int after;
    if (line[value] == '"') {
      int end = text(value);
      if (end < 0) {
        return OTHER;
      }
      String key = string(from + 1, name);
      if (wanted.contains(key)) {
        fields.putIfAbsent(key, string(value + 1, end));
      }
      after = end + 1;
    } else {
      after = bare(value);
    }
    if (after < 0 || after >= line.length) {
      return OTHER;
    }
    return line[after] == ',' ? after + 1 : line[after] == '}' ? END : OTHER;
  }

  /** Returns where the text ends whose first quote is there; a negative number if it is none without escapes. */
  private int text(int quote) {
    if (quote >= line.length || line[quote] != '"') {
      return OTHER;
    }
    for (int i = quote + 1; i < line.length; i++) {
      byte c = line[i];
      if (c == '"') {
        return i;
      }
      if (c < ' ' || c > '~' || c == '\\') {
        return OTHER;
      }
    }
    return OTHER;
  }

  /** Returns where a number or flag ends. */
  private int bare(int from) {
    int to = from;
    while (to < line.length && line[to] >= '0' && line[to] <= '9') {
      to++;
    }
    boolean isNumber = to > from && (to == from + 1 || line[from] != '0');
    return isNumber ? to : is("true", from) ? from + 4 : is("false", from) ? from + 5 : OTHER;
  }

  private boolean is(String word, int from) {
    return from + word.length() <= line.length && string(from, from + word.length()).equals(word);
  }

  private String string(int from, int to) {
    return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
  }
}
