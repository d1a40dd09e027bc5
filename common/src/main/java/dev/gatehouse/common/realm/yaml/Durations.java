package dev.gatehouse.common.realm.yaml;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Formats and reads durations in the notation of the configuration. */
public final class Durations {

  private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Pattern PARTS = Pattern.compile("(" + PART.pattern() + ")+");

  private Durations() {}

  /** Parses {@code 1h30m} or ISO 8601 ({@code PT5M}); empty if it is neither. */
  public static Optional<Duration> parse(String text) {
    if (PARTS.matcher(text).matches()) {
      return Optional.of(
          PART.matcher(text).results().map(p -> of(Long.parseLong(p.group(1)), p.group(2))).reduce(Duration.ZERO, Duration::plus));
    }
    try {
      return text.startsWith("P") ? Optional.of(Duration.parse(text)) : Optional.empty();
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  public static Duration of(long amount, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      case "d" -> Duration.ofDays(amount);
      default -> throw new IllegalArgumentException("not a unit: " + unit);
    };
  }

  /** Formats the duration in the largest unit without a remainder. */
  public static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 86_400_000 == 0) {
      return millis / 86_400_000 + "d";
    }
    if (millis % 3_600_000 == 0) {
      return millis / 3_600_000 + "h";
    }
    if (millis % 60_000 == 0) {
      return millis / 60_000 + "m";
    }
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
