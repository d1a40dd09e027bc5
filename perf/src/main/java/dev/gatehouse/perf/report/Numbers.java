package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Markdown;

/** Numbers as a reader compares them: three digits that mean something. */
public final class Numbers {

  private static final double HUNDRED = 100;
  private static final double TEN = 10;

  private Numbers() {}

  public static String of(double value) {
    double size = Math.abs(value);
    if (size >= HUNDRED) {
      return Markdown.format("%,.0f", value);
    }
    if (size >= TEN) {
      return Markdown.format("%.1f", value);
    }
    return size >= 1 || size == 0 ? Markdown.format("%.2f", value) : Markdown.format("%.3f", value);
  }

  /** A whole size, as 4,000,000; 0.25 stays as it is. */
  static String size(double value) {
    return value == Math.rint(value) ? Markdown.format("%,.0f", value) : Markdown.format("%s", value);
  }

  static String percent(double share) {
    return Markdown.format("%.0f %%", HUNDRED * share);
  }
}
