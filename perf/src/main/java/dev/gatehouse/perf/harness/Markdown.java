package dev.gatehouse.perf.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table in Markdown, and numbers as English text. */
public final class Markdown {

  private final List<String> lines = new ArrayList<>();

  private Markdown(String header) {
    lines.add(header);
    lines.add("---|".repeat(1 + (int) header.chars().filter(c -> c == '|').count()));
  }

  /** @param header the names of the columns, separated by {@code |} */
  public static Markdown table(String header) {
    return new Markdown(header);
  }

  /** @param format the cells, separated by {@code |} */
  public Markdown row(String format, Object... values) {
    lines.add(format(format, values));
    return this;
  }

  /** The number of rows. */
  public int size() {
    return lines.size() - 2;
  }

  public boolean isEmpty() {
    return size() == 0;
  }

  /** The table with an empty line before it; nothing if it has no rows. */
  @Override
  public String toString() {
    StringBuilder md = new StringBuilder(isEmpty() ? "" : "\n");
    for (int i = 0; i < lines.size() && !isEmpty(); i++) {
      md.append(i == 1 ? "|" + lines.get(i) : "| " + lines.get(i).strip() + " |").append('\n');
    }
    return md.toString();
  }

  public static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
