package dev.gatehouse.common.saml.xml;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;

import dev.gatehouse.common.saml.MessageRefused;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Reads typed values of attributes and elements (XML Schema, part 2, as SAML Core 1.3 restricts it), and base64. */
public final class XmlValues {

  private XmlValues() {}

  /** Years have four digits; digits of a second beyond the ninth are ignored. */
  private static final Pattern DATE_TIME =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(?:(\\.\\d{1,9})\\d*)?(Z|[+-]\\d\\d:\\d\\d)?");

  private static final long UNUSUAL = Long.MIN_VALUE;

  /**
   * Reads a dateTime "in UTC form, with no time zone component" (SAML Core 1.3.3). A time without zone is UTC, like one with Z;
   * offsets are understood.
   */
  public static Optional<Instant> instant(Element e, String attribute) {
    return Dom.attribute(e, attribute).map(value -> instant(value.strip(), Dom.name(e) + "/@" + attribute));
  }

  public static Instant instant(String value, String where) {
    long usual = usual(value);
    if (usual != UNUSUAL) {
      return Instant.ofEpochMilli(usual);
    }
    Matcher parts = DATE_TIME.matcher(value);
    if (parts.matches()) {
      try {
        return Instant.parse(parts.group(1) + orElse(parts.group(2), "") + orElse(parts.group(3), "Z"));
      } catch (DateTimeException ex) {
        // No such day or hour: refused below.
      }
    }
    throw new MessageRefused(SCHEMA, where + " is not a dateTime in UTC");
  }

  /** Parses the form that nearly all products write, {@code 2026-11-21T06:50:00Z} with or without milliseconds, quickly. */
  private static long usual(String value) {
    boolean withMillis = value.length() == 24;
    boolean fits =
        (withMillis || value.length() == 20)
            && value.charAt(4) == '-'
            && value.charAt(7) == '-'
            && value.charAt(10) == 'T'
            && value.charAt(13) == ':'
            && value.charAt(16) == ':'
            && (!withMillis || value.charAt(19) == '.')
            && value.charAt(value.length() - 1) == 'Z';
    if (!fits) {
      return UNUSUAL;
    }
    int year = number(value, 0, 4);
    int month = number(value, 5, 7);
    int day = number(value, 8, 10);
    int hour = number(value, 11, 13);
    int minute = number(value, 14, 16);
    int second = number(value, 17, 19);
    int millis = withMillis ? number(value, 20, 23) : 0;
    // Hour 24 and leap seconds are left to the full parser.
    boolean plain =
        year >= 1970
            && month >= 1 && month <= 12
            && day >= 1 && day <= YearMonth.of(year, month).lengthOfMonth()
            && hour >= 0 && hour <= 23
            && minute >= 0 && minute <= 59
            && second >= 0 && second <= 59
            && millis >= 0;
    if (!plain) {
      return UNUSUAL;
    }
    return ((LocalDate.of(year, month, day).toEpochDay() * 24 + hour) * 60 + minute) * 60_000 + second * 1000L + millis;
  }

  /** Parses digits; returns a negative number for anything else. */
  private static int number(String value, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = value.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private static String orElse(@Nullable String group, String missing) {
    return group == null ? missing : group;
  }

  /** Reads a duration of days, hours, minutes and seconds; years and months are 365 and 30 days. */
  public static Optional<Duration> duration(Element e, String attribute) {
    return Dom.attribute(e, attribute).map(value -> duration(value.strip(), Dom.name(e) + "/@" + attribute));
  }

  private static Duration duration(String value, String where) {
    try {
      int time = value.indexOf('T');
      String days = time < 0 ? value : value.substring(0, time);
      Duration ofDays = days.equals("P") ? Duration.ZERO : Duration.ofDays(days(java.time.Period.parse(days)));
      return time < 0 ? ofDays : ofDays.plus(Duration.parse("P" + value.substring(time)));
    } catch (DateTimeException | ArithmeticException ex) {
      throw new MessageRefused(SCHEMA, where + " is not a duration");
    }
  }

  private static long days(java.time.Period period) {
    return period.getYears() * 365L + period.getMonths() * 30L + period.getDays();
  }

  public static boolean flag(Element e, String attribute) {
    return Dom.attribute(e, attribute).map(value -> flag(value.strip())).orElse(false);
  }

  private static boolean flag(String value) {
    return switch (value) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw new MessageRefused(SCHEMA, "a flag that is neither true nor false");
    };
  }

  /** Reads an unsignedShort: the index of an indexed endpoint. */
  public static int index(String value) {
    try {
      int index = Integer.parseInt(value.strip());
      if (index >= 0 && index <= 65535) {
        return index;
      }
    } catch (NumberFormatException ex) {
      // Refused below.
    }
    throw new MessageRefused(SCHEMA, "an index that is not from 0 to 65535");
  }

  /** Reads an anyURI; XML Schema ignores white space around it. */
  public static String uri(Element e) {
    return Dom.text(e).strip();
  }

  /** Returns a child that the grammar has already required. */
  public static Element required(Element parent, XmlNamespace namespace, String name) {
    return Dom.child(parent, namespace, name)
        .orElseThrow(() -> new MessageRefused(SCHEMA, Dom.name(parent) + " lacks " + name));
  }

  /** Decodes strictly: whole groups of four, padded. */
  public static Optional<byte[]> base64(String value) {
    if (value.isEmpty() || value.length() % 4 != 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(Base64.getDecoder().decode(value.getBytes(StandardCharsets.ISO_8859_1)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** As {@link #base64}, but with XML white space anywhere, as in XML Signature's elements. */
  public static Optional<byte[]> wrappedBase64(String value) {
    StringBuilder compact = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        compact.append(c);
      }
    }
    return base64(compact.toString());
  }
}
