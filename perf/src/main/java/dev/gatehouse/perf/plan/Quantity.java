package dev.gatehouse.perf.plan;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number as people write it for plans: {@code 20M}, {@code 500k}, {@code 2000}; a rate has {@code /s} behind it. */
record Quantity(double value) {

  private static final Pattern TEXT = Pattern.compile("(?<number>\\d{1,12}(\\.\\d{1,3})?)(?<unit>[kMG]?)");

  /** Reads a rate. */
  static final class Rate implements ITypeConverter<Quantity> {
    @Override
    public Quantity convert(String text) {
      if (!text.endsWith("/s")) {
        throw new TypeConversionException("'" + text + "' is not a rate; write it like 2000/s or 500k/s");
      }
      return of(text.substring(0, text.length() - 2), "a rate; write it like 2000/s or 500k/s");
    }
  }

  /** Reads a number. */
  static final class Count implements ITypeConverter<Quantity> {
    @Override
    public Quantity convert(String text) {
      return of(text, "a number; write it like 20M, 500k or 1000");
    }
  }

  private static Quantity of(String text, String what) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new TypeConversionException("'" + text + "' is not " + what);
    }
    double unit =
        switch (parts.group("unit")) {
          case "k" -> 1e3;
          case "M" -> 1e6;
          case "G" -> 1e9;
          default -> 1;
        };
    return new Quantity(Double.parseDouble(parts.group("number")) * unit);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
