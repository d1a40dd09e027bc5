package dev.gatehouse.common.saml;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.w3c.dom.Element;

/** Typed values of attributes and elements (XML Schema, part 2, as SAML Core 1.3 narrows it). */
final class XmlValues {

  private XmlValues() {}

  /** A dateTime in UTC (SAML Core 1.3.3); offsets are understood, a time without zone is refused. */
  static Optional<Instant> instant(Element e, String attribute) {
    return Dom.attribute(e, attribute).map(value -> instant(value.strip(), Dom.name(e) + "/@" + attribute));
  }

  private static Instant instant(String value, String where) {
    try {
      return Instant.parse(value);
    } catch (DateTimeException ex) {
      throw new MessageRefused(SCHEMA, where + " is not a dateTime in UTC");
    }
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
