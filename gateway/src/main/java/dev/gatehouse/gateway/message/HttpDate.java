package dev.gatehouse.gateway.message;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Parses and formats the dates of fields (RFC 9110, section 5.6.7), as seconds since the epoch. */
public final class HttpDate {

  private static final DateTimeFormatter FIXED =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter RFC_850 =
      new DateTimeFormatterBuilder()
          .appendPattern("EEEE, dd-MMM-")
          .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
          .appendPattern(" HH:mm:ss 'GMT'")
          .toFormatter(Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final List<DateTimeFormatter> FORMATS = List.of(FIXED, RFC_850, ASCTIME);

  private HttpDate() {}

  /** Parses a date; empty if it has none of the three formats. */
  public static OptionalLong parse(String text) {
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    for (DateTimeFormatter format : FORMATS) {
      try {
        return OptionalLong.of(ZonedDateTime.parse(text, format).toEpochSecond());
      } catch (DateTimeException e) {
        // It may have the next format.
        continue;
      }
    }
    return OptionalLong.empty();
  }

  public static String format(long second) {
    return FIXED.format(Instant.ofEpochSecond(second));
  }
}
