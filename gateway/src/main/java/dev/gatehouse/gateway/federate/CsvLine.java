package dev.gatehouse.gateway.federate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One line of comma-separated values (RFC 4180), without line breaks in fields, so that each line of a file is one
 * record.
 */
final class CsvLine {

  private CsvLine() {}

  /** The fields, including their spaces; empty if the quotes are malformed. */
  static Optional<List<String>> read(String line) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (true) {
      StringBuilder field = new StringBuilder();
      if (at < line.length() && line.charAt(at) == '"') {
        at = quoted(line, at + 1, field);
        if (at < 0 || (at < line.length() && line.charAt(at) != ',')) {
          return Optional.empty();
        }
      } else {
        while (at < line.length() && line.charAt(at) != ',') {
          if (line.charAt(at) == '"') {
            return Optional.empty();
          }
          field.append(line.charAt(at++));
        }
      }
      fields.add(field.toString());
      if (at == line.length()) {
        return Optional.of(fields);
      }
      at++;
    }
  }

  /** Reads up to the closing quote; returns the index after it, or -1 if there is none. */
  private static int quoted(String line, int from, StringBuilder field) {
    for (int at = from; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c != '"') {
        field.append(c);
      } else if (at + 1 < line.length() && line.charAt(at + 1) == '"') {
        field.append('"');
        at++;
      } else {
        return at + 1;
      }
    }
    return -1;
  }

  /** Formats a line, including its end. */
  static String write(List<String> fields) {
    return fields.stream().map(CsvLine::field).collect(Collectors.joining(",", "", "\n"));
  }

  private static String field(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /**
   * Escapes a text for files that people open in a spreadsheet: a field that looks like a formula is prefixed with an
   * apostrophe, and unprintable characters are replaced by question marks.
   */
  static String harmless(String text) {
    String printable = text.replaceAll("\\p{C}", "?");
    boolean formula = !printable.isEmpty() && "=+-@".indexOf(printable.charAt(0)) >= 0;
    return formula ? "'" + printable : printable;
  }
}
