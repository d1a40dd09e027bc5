package dev.gatehouse.common.realm.file;

import java.time.Duration;

/** Formats and reads durations in the notation of the configuration. */
final class Durations {

  private Durations() {}

  static Duration of(long amount, String unit) {
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
  static String text(Duration duration) {
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
