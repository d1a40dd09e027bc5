package dev.gatehouse.gateway.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Values by path prefix; finds the longest prefix of a path, and among equally long ones the one whose literal segments
 * are further to the right. A look-up needs one hash for each segment, up to the length of the longest prefix, and one
 * more for each arrangement of variables in prefixes of that length: its cost depends neither on the number of prefixes
 * nor on the length of the path.
 */
final class Prefixes<T> {

  private final Map<String, T> plain = new HashMap<>();
  private final Map<String, T> withVariables = new HashMap<>();

  /** By number of segments: the shapes with variables, those with literal segments further to the right first. */
  private final List<List<String>> shapes = new ArrayList<>();

  void put(Template template, String written, T value, BinaryOperator<T> both) {
    while (shapes.size() <= template.shape().length()) {
      shapes.add(new ArrayList<>(0));
    }
    if (template.isPlain()) {
      plain.merge(written, value, both);
      return;
    }
    withVariables.merge(masked(written, template.shape()), value, both);
    List<String> ofThatLength = shapes.get(template.shape().length());
    if (!ofThatLength.contains(template.shape())) {
      ofThatLength.add(template.shape());
      ofThatLength.sort(Comparator.naturalOrder());
    }
  }

  /** Finds the longest prefix; a slash at the end of the path makes no difference. */
  @Nullable T longest(String path) {
    if (shapes.isEmpty()) {
      return null;
    }
    int[] ends = ends(path);
    for (int segments = ends.length - 1; segments >= 0; segments--) {
      String prefix = path.substring(0, ends[segments]);
      T found = plain.get(prefix);
      if (found != null) {
        return found;
      }
      List<String> arrangements = shapes.get(segments);
      for (int i = 0; i < arrangements.size(); i++) {
        found = withVariables.get(masked(prefix, arrangements.get(i)));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** The ends of the first segments, at most as many as the longest prefix has, because a path may have thousands. */
  private int[] ends(String path) {
    int most = shapes.size() - 1;
    int[] ends = new int[most + 1];
    int segments = 0;
    int at = 0;
    while (segments < most && at + 1 < path.length()) {
      int next = path.indexOf('/', at + 1);
      at = next < 0 ? path.length() : next;
      ends[++segments] = at;
    }
    return segments == most ? ends : Arrays.copyOf(ends, segments + 1);
  }

  /** The prefix with a marker, which no path can contain, in place of each variable segment. */
  private static String masked(String prefix, String shape) {
    StringBuilder masked = new StringBuilder(prefix.length());
    int at = 0;
    for (int i = 0; i < shape.length(); i++) {
      int next = prefix.indexOf('/', at + 1);
      int end = next < 0 ? prefix.length() : next;
      if (shape.charAt(i) == PathRoutes.VARIABLE) {
        masked.append("/\n");
      } else {
        masked.append(prefix, at, end);
      }
      at = end;
    }
    return masked.toString();
  }
}
