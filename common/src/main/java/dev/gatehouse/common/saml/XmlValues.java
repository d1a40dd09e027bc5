package dev.gatehouse.common.saml;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Typed values of attributes and elements (XML Schema, part 2, as SAML Core 1.3 narrows it). */
final class XmlValues {

  private XmlValues() {}

  /** Years of four digits; digits of a second beyond the ninth do not count. */
  private static final Pattern DATE_TIME =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(?:(\\.\\d{1,9})\\d*)?(Z|[+-]\\d\\d:\\d\\d)?");

  /**
   * A dateTime "in UTC form, with no time zone component" (SAML Core 1.3.3): a time without zone is UTC, as one with Z is;
   * offsets are understood.
   */
  static Optional<Instant> instant(Element e, String attribute) {
    return Dom.attribute(e, attribute).map(value -> instant(value.strip(), Dom.name(e) + "/@" + attribute));
  }

  private static Instant instant(String value, String where) {
    Matcher parts = DATE_TIME.matcher(value);
    if (parts.matches()) {
      try {
        return Instant.parse(parts.group(1) + orElse(parts.group(2), "") + orElse(parts.group(3), "Z"));
      } catch (DateTimeException ex) {
        // no such day or hour: refused below
      }
    }
    throw new MessageRefused(SCHEMA, where + " is not a dateTime in UTC");
  }

  private static String orElse(@Nullable String group, String missing) {
    return group == null ? missing : group;
  }

  /** A duration of days, hours, minutes and seconds; years and months count as 365 and 30 days. */
  static Optional<Duration> duration(Element e, String attribute) {
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

  static boolean flag(Element e, String attribute) {
    return Dom.attribute(e, attribute).map(value -> flag(value.strip())).orElse(false);
  }

  private static boolean flag(String value) {
    return switch (value) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw new MessageRefused(SCHEMA, "a flag that is neither true nor false");
    };
  }

  /** An unsignedShort: the index of an indexed endpoint. */
  static int index(String value) {
    try {
      int index = Integer.parseInt(value.strip());
      if (index >= 0 && index <= 65535) {
        return index;
      }
    } catch (NumberFormatException ex) {
      // refused below
    }
    throw new MessageRefused(SCHEMA, "an index that is not from 0 to 65535");
  }

  /** An anyURI, whose surrounding white space XML Schema ignores. */
  static String uri(Element e) {
    return Dom.text(e).strip();
  }

  /** A child that the grammar has already demanded. */
  static Element required(Element parent, XmlNamespace namespace, String name) {
    return Dom.child(parent, namespace, name)
        .orElseThrow(() -> new MessageRefused(SCHEMA, Dom.name(parent) + " lacks " + name));
  }
}
