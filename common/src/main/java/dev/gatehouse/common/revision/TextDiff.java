package dev.gatehouse.common.revision;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The difference of two texts in the unified format, with three lines of context. It is the shortest one (E. Myers, "An O(ND)
 * Difference Algorithm", 1986) up to a bound of effort; beyond, the differing middle is replaced as a whole.
 */
final class TextDiff {

  private static final int CONTEXT = 3;
  private static final int MAX_EDITS = 1000;

  /** A line of the result: kept (blank), removed (minus) or added (plus). */
  private record Line(char sign, String text) {}

  private TextDiff() {}

  /** Returns the hunks; empty if the texts are equal. */
  static String unified(String before, String after) {
    List<Line> lines = lines(split(before), split(after));
    StringBuilder out = new StringBuilder();
    int oldLine = 1;
    int newLine = 1;
    int at = 0;
    while (at < lines.size()) {
      int change = nextChange(lines, at);
      if (change == lines.size()) {
        break;
      }
      int from = Math.max(at, change - CONTEXT);
      oldLine += from - at;
      newLine += from - at;
      int to = end(lines, change);
      List<Line> hunk = lines.subList(from, to);
      int removed = (int) hunk.stream().filter(line -> line.sign() != '+').count();
      int added = (int) hunk.stream().filter(line -> line.sign() != '-').count();
      out.append("@@ -").append(range(oldLine, removed)).append(" +").append(range(newLine, added)).append(" @@\n");
      hunk.forEach(line -> out.append(line.sign()).append(line.text()).append('\n'));
      oldLine += removed;
      newLine += added;
      at = to;
    }
    return out.toString();
  }

  /** Lines are counted from 1; a range without lines names the line before it. */
  private static String range(int from, int count) {
    return (count == 0 ? from - 1 : from) + "," + count;
  }

  private static int nextChange(List<Line> lines, int from) {
    int at = from;
    while (at < lines.size() && lines.get(at).sign() == ' ') {
      at++;
    }
    return at;
  }

  /** Returns the end of a hunk: changes with at most twice the context between them are one. */
  private static int end(List<Line> lines, int firstChange) {
    int last = firstChange;
    while (true) {
      while (last < lines.size() && lines.get(last).sign() != ' ') {
        last++;
      }
      int next = nextChange(lines, last);
      if (next == lines.size() || next - last > 2 * CONTEXT) {
        return Math.min(lines.size(), last + CONTEXT);
      }
      last = next;
    }
  }

  private static List<String> split(String text) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    if (lines.getLast().isEmpty()) {
      lines.removeLast();
    }
    return lines;
  }

  private static List<Line> lines(List<String> before, List<String> after) {
    int head = 0;
    while (head < before.size() && head < after.size() && before.get(head).equals(after.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < Math.min(before.size(), after.size()) - head
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    List<Line> lines = new ArrayList<>();
    before.subList(0, head).forEach(text -> lines.add(new Line(' ', text)));
    lines.addAll(middle(before.subList(head, before.size() - tail), after.subList(head, after.size() - tail)));
    before.subList(before.size() - tail, before.size()).forEach(text -> lines.add(new Line(' ', text)));
    return lines;
  }

  private static List<Line> middle(List<String> before, List<String> after) {
    List<int[]> furthest = new ArrayList<>();
    int limit = Math.min(MAX_EDITS, before.size() + after.size());
    int[] reached = new int[2 * limit + 3];
    for (int edits = 0; edits <= limit; edits++) {
      furthest.add(reached.clone());
      for (int diagonal = -edits; diagonal <= edits; diagonal += 2) {
        int x = step(reached, limit, edits, diagonal);
        while (x < before.size() && x - diagonal < after.size() && before.get(x).equals(after.get(x - diagonal))) {
          x++;
        }
        reached[limit + 1 + diagonal] = x;
        if (x >= before.size() && x - diagonal >= after.size()) {
          return path(before, after, furthest, limit);
        }
      }
    }
    List<Line> replaced = new ArrayList<>();
    before.forEach(text -> replaced.add(new Line('-', text)));
    after.forEach(text -> replaced.add(new Line('+', text)));
    return replaced;
  }

  /** Returns the position in the old text after one more edit, which is an addition if it comes from the diagonal above. */
  private static int step(int[] reached, int limit, int edits, int diagonal) {
    return isAddition(reached, limit, edits, diagonal) ? reached[limit + 2 + diagonal] : reached[limit + diagonal] + 1;
  }

  private static boolean isAddition(int[] reached, int limit, int edits, int diagonal) {
    return diagonal == -edits || diagonal != edits && reached[limit + diagonal] < reached[limit + 2 + diagonal];
  }

  /** Follows the edits back from the end. */
  private static List<Line> path(List<String> before, List<String> after, List<int[]> furthest, int limit) {
    Deque<Line> lines = new ArrayDeque<>();
    int x = before.size();
    int y = after.size();
    for (int edits = furthest.size() - 1; edits > 0; edits--) {
      int[] reached = furthest.get(edits);
      int diagonal = x - y;
      boolean addition = isAddition(reached, limit, edits, diagonal);
      int from = addition ? diagonal + 1 : diagonal - 1;
      int oldX = reached[limit + 1 + from];
      int oldY = oldX - from;
      while (x > oldX && y > oldY && (addition ? y > oldY + 1 : x > oldX + 1)) {
        lines.addFirst(new Line(' ', before.get(--x)));
        y--;
      }
      lines.addFirst(addition ? new Line('+', after.get(--y)) : new Line('-', before.get(--x)));
    }
    while (x > 0) {
      lines.addFirst(new Line(' ', before.get(--x)));
    }
    return new ArrayList<>(lines);
  }
}
