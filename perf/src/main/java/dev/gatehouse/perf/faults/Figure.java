package dev.gatehouse.perf.faults;

import java.util.Locale;

/**
 * One measured figure.
 *
 * @param what a noun phrase: "longest answer to the prober"
 * @param unit "ms", "MB", "connections" ... ; empty for plain counts
 */
public record Figure(String what, double measured, String unit, Bound bound) {

  /** The promised bound. */
  public sealed interface Bound {

    /** An upper bound. */
    record AtMost(double most) implements Bound {}

    /** A lower bound. */
    record AtLeast(double least) implements Bound {}

    /** No bound: the figure is only reported. */
    record None() implements Bound {}
  }

  public static Figure atMost(double most, String what, double measured, String unit) {
    return new Figure(what, measured, unit, new Bound.AtMost(most));
  }

  public static Figure atLeast(double least, String what, double measured, String unit) {
    return new Figure(what, measured, unit, new Bound.AtLeast(least));
  }

  /** A condition that holds or does not: the figure is 1 or 0. */
  public static Figure holds(String what, boolean holds) {
    return new Figure(what, holds ? 1 : 0, "", new Bound.AtLeast(1));
  }

  public static Figure reported(String what, double measured, String unit) {
    return new Figure(what, measured, unit, new Bound.None());
  }

  /** Returns whether the bound was met. */
  public boolean kept() {
    return switch (bound) {
      case Bound.AtMost(double most) -> measured <= most;
      case Bound.AtLeast(double least) -> measured >= least;
      case Bound.None none -> true;
    };
  }

  String boundText() {
    return switch (bound) {
      case Bound.AtMost(double most) -> "at most " + number(most);
      case Bound.AtLeast(double least) -> "at least " + number(least);
      case Bound.None none -> "reported";
    };
  }

  String measuredText() {
    return unit.isEmpty() ? number(measured) : number(measured) + " " + unit;
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) : String.format(Locale.ROOT, "%,.2f", value);
  }
}
