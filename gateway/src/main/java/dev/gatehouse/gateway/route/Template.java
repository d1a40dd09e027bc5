package dev.gatehouse.gateway.route;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A route's prefix, in which whole segments may be variables: {@code /accounts/{account}}. Has no slash at its end. */
final class Template {

  private final String pattern;
  private final Map<String, Integer> positions = new HashMap<>();
  private final StringBuilder shape = new StringBuilder();

  Template(String pattern) {
    this.pattern = pattern;
    String[] segments = pattern.isEmpty() ? new String[0] : pattern.substring(1).split("/");
    for (int i = 0; i < segments.length; i++) {
      boolean variable = segments[i].startsWith("{");
      shape.append(variable ? PathRoutes.VARIABLE : PathRoutes.LITERAL);
      if (variable) {
        positions.put(segments[i].substring(1, segments[i].length() - 1), i);
      }
    }
  }

  boolean isPlain() {
    return positions.isEmpty();
  }

  /** One letter for each segment, as defined in {@link PathRoutes}. */
  String shape() {
    return shape.toString();
  }

  String pattern() {
    return pattern;
  }

  /** The unescaped value of a variable in a path; empty if there is no such variable. */
  Optional<String> value(String variable, String path) {
    return Optional.ofNullable(positions.get(variable)).flatMap(position -> segment(path, position));
  }

  private static Optional<String> segment(String path, int position) {
    int start = 1;
    for (int i = 0; i < position; i++) {
      start = path.indexOf('/', start) + 1;
      if (start == 0) {
        return Optional.empty();
      }
    }
    int end = path.indexOf('/', start);
    String raw = path.substring(start, end < 0 ? path.length() : end);
    return Optional.of(
        raw.indexOf('%') < 0 ? raw : URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8));
  }

  /** The part of a path that this prefix covers. */
  String covered(String path) {
    int end = 0;
    for (int i = 0; i < shape.length(); i++) {
      int next = path.indexOf('/', end + 1);
      end = next < 0 ? path.length() : next;
    }
    return path.substring(0, end);
  }
}
