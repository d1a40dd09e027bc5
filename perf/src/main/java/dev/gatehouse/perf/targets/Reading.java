package dev.gatehouse.perf.targets;

import dev.gatehouse.perf.harness.Markdown;
import java.math.BigDecimal;
import java.math.MathContext;

/** What of a figure is compared with a target. */
public sealed interface Reading {

  /** Of a rate per CPU second of our processes: the milliseconds of CPU for one piece of work. */
  record Cost() implements Reading {}

  /** The figure itself, where less is better. */
  record Amount(String unit) implements Reading {}

  /** The rate per CPU second itself. */
  record Rate() implements Reading {}

  /** The rate as a share of that of a limit, which was measured beside it under this name. */
  record Share(String limit) implements Reading {}

  /** The rate in that of a peer, which was measured beside it under this name. */
  record Times(String peer) implements Reading {}

  /** The name of what has to be measured beside the figure; empty for nothing. */
  default String beside() {
    return switch (this) {
      case Cost _ -> "";
      case Amount _ -> "";
      case Rate _ -> "";
      case Share(String limit) -> limit;
      case Times(String peer) -> peer;
    };
  }

  default boolean lessIsBetter() {
    return switch (this) {
      case Cost _ -> true;
      case Amount _ -> true;
      case Rate _ -> false;
      case Share _ -> false;
      case Times _ -> false;
    };
  }

  /** A value with its unit. */
  default String text(double value) {
    return switch (this) {
      case Cost _ -> number(value) + " ms";
      case Amount(String unit) -> number(value) + " " + unit;
      case Rate _ -> number(value) + " a CPU second";
      case Share _ -> number(100 * value) + " %";
      case Times _ -> number(value) + " x";
    };
  }

  /** Three digits, without zeros that say nothing; all digits of a whole number. */
  private static String number(double value) {
    return Math.abs(value) >= 100
        ? Markdown.format("%,.0f", value)
        : new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }
}
