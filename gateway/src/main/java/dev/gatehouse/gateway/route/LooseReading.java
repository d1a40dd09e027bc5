package dev.gatehouse.gateway.route;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Paths as the most tolerant servers and file systems interpret them: ignoring case, width and invisible characters,
 * dots and spaces at the end of a segment, and the name of a stream ({@code ::$DATA}), as Windows opens files; segments
 * may be short names ({@code MANAGE~1}) of longer ones.
 */
final class LooseReading {

  private LooseReading() {}

  /** Returns whether tolerant servers read the path as written, except for letter case. */
  static boolean isPlain(String path) {
    char previous = '/';
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '%' || isOdd(c) || c >= 0x80 || c == '/' && previous == '.') {
        return false;
      }
      previous = c;
    }
    return previous != '.';
  }

  /** Returns whether the character can indicate a stream, a short name or a space; {@link RequestPath} checks for them too. */
  static boolean isOdd(char c) {
    return c == ':' || c == '~' || c == '+';
  }

  /**
   * The first segments of a path, unescaped.
   *
   * @param most how many, not counting those of plus signs only
   */
  static List<String> segments(String path, int most) {
    List<String> segments = new ArrayList<>();
    int counted = 0;
    int at = 0;
    while (counted < most && at + 1 < path.length()) {
      int next = path.indexOf('/', at + 1);
      int end = next < 0 ? path.length() : next;
      String raw = path.substring(at + 1, end);
      String segment =
          raw.indexOf('%') < 0 ? raw : URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
      segments.add(segment);
      counted += isPlus(segment) ? 0 : 1;
      at = end;
    }
    return segments;
  }

  /**
   * The path of all segments as tolerant servers read it; empty if a segment consists only of dots and spaces. A
   * segment of plus signs only (Gerrit's {@code /c/project/+/1}) is a name for nearly all servers; it is left out, as
   * by a server that reads plus signs as spaces.
   */
  static Optional<String> of(List<String> segments) {
    StringBuilder read = new StringBuilder();
    for (String segment : segments) {
      if (isPlus(segment)) {
        continue;
      }
      String name = segment(segment);
      if (name.isEmpty()) {
        return Optional.empty();
      }
      read.append('/').append(name);
    }
    return Optional.of(read.toString());
  }

  /** Returns whether the segment consists only of plus signs. */
  static boolean isPlus(String segment) {
    return !segment.isEmpty() && segment.chars().allMatch(c -> c == '+');
  }

  private static String segment(String segment) {
    String name = withoutTail(folded(segment));
    int stream = name.indexOf(':', 1);
    return stream < 0 ? name : withoutTail(name.substring(0, stream));
  }

  /** Returns whether some servers ignore the end of a segment, so that it names the same as without it. */
  static boolean hasTail(String segment) {
    String folded = folded(segment);
    return folded.endsWith(":")
        || folded.contains(":$")
        || !folded.endsWith("+") && withoutTail(folded).length() < folded.length();
  }

  private static String folded(String segment) {
    String text = Normalizer.normalize(segment, Normalizer.Form.NFKC);
    StringBuilder folded = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> Character.getType(c) != Character.FORMAT && !Character.isISOControl(c))
        // Converted twice, because some letters share their upper-case form with another letter.
        .map(c -> Character.toLowerCase(Character.toUpperCase(c)))
        .forEach(folded::appendCodePoint);
    return folded.toString();
  }

  private static String withoutTail(String name) {
    int end = name.length();
    while (end > 0 && isTail(name.charAt(end - 1))) {
      end--;
    }
    return name.substring(0, end);
  }

  private static boolean isTail(char c) {
    return c == '.' || c == '+' || Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  /**
   * Returns whether a segment may be the short name of one of these: up to six of its letters, or two letters and four
   * hexadecimal digits, then a tilde and a number.
   */
  static boolean isShortNameOfOne(String segment, TreeSet<String> names) {
    String name = folded(segment);
    int tilde = name.indexOf('~');
    if (tilde < 1 || !name.substring(tilde + 1).matches("[0-9]{1,6}([. ].*)?")) {
      return false;
    }
    String stem = name.substring(0, tilde);
    return isStartOfOne(stem, names)
        || stem.length() == 6 && stem.substring(2).matches("[0-9a-f]{4}") && isStartOfOne(stem.substring(0, 2), names);
  }

  private static boolean isStartOfOne(String stem, TreeSet<String> names) {
    String first = names.ceiling(stem);
    return first != null && first.startsWith(stem);
  }

  /** A name in the form that short names are derived from. */
  static String stem(String segment) {
    return folded(segment).replaceAll("[. ]", "").toLowerCase(Locale.ROOT).replaceAll("[+,;=\\[\\]]", "_");
  }
}
