package dev.gatehouse.common.realm.access;

import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads {@code time} of a rule: days of the week, hours and dates in one zone. */
public final class TimeYaml {

  private static final Type<LocalTime> HOUR = Type.matching("time of day", "^\\d\\d:\\d\\d$", TimeYaml::hour);
  private static final Type<LocalDate> DATE = Type.matching("date", "^\\d{4}-\\d\\d-\\d\\d$", TimeYaml::date);

  public static final Section KEYS = new Section();
  private static final Key<DayOfWeek> DAYS =
      KEYS.list(
          "days", Type.choice(day -> day.name().substring(0, 3).toLowerCase(Locale.ROOT), DayOfWeek.values()), "e.g. [mon, tue]",
          "Days of the week; all unless configured.");
  private static final Key<LocalTime> FROM = KEYS.key("from", HOUR, "e.g. \"08:00\"", "The beginning on each day, with `to`.");
  private static final Key<LocalTime> TO =
      KEYS.key("to", HOUR, "e.g. \"18:00\"", "The end, up to \"24:00\"; if it is before `from`, it is on the next day.");
  private static final Key<LocalDate> NOT_BEFORE = KEYS.key("notBefore", DATE, "e.g. 2027-01-01", "The first day.");
  private static final Key<LocalDate> NOT_AFTER =
      KEYS.key("notAfter", DATE, "e.g. 2027-01-31", "The last day, which counts as a whole.");
  private static final Key<ZoneId> ZONE =
      KEYS.required(
          "zone", Type.string("time zone", TimeYaml::zone), "Europe/Berlin", "write whose clock counts, like Europe/Berlin or UTC",
          "The time zone whose clock counts.");

  private final YamlSection section;

  public TimeYaml(YamlSection section) {
    this.section = section;
  }

  public List<Condition.Times> read() {
    Set<DayOfWeek> days = Set.copyOf(section.all(DAYS));
    Optional<LocalTime> from = section.find(FROM);
    Optional<LocalTime> to = section.find(TO);
    Optional<LocalDate> notBefore = section.find(NOT_BEFORE);
    Optional<LocalDate> notAfter = section.find(NOT_AFTER);
    Optional<ZoneId> zone = section.find(ZONE);
    if (section.has(FROM) != section.has(TO)) {
      section.problem(section.has(FROM) ? TO : FROM, "is missing", "write both from and to, or none of them");
    }
    boolean weekly = !days.isEmpty() || from.isPresent() && to.isPresent();
    boolean dated = notBefore.isPresent() || notAfter.isPresent();
    List<Condition.Times> conditions = new ArrayList<>();
    if (zone.isEmpty()) {
      return conditions;
    }
    boolean alone = section.names().equals(List.of("zone"));
    if (alone) {
      section.problem(ZONE, "stands alone", "add days, from and to, notBefore or notAfter");
    }
    if (weekly) {
      conditions.add(
          new Condition.Weekly(
              days.isEmpty() ? Set.of(DayOfWeek.values()) : days,
              from.orElse(LocalTime.MIDNIGHT),
              to.orElse(LocalTime.MIDNIGHT),
              zone.get()));
    }
    if (dated) {
      Optional<Instant> begin = notBefore.map(day -> day.atStartOfDay(zone.get()).toInstant());
      Optional<Instant> end = notAfter.map(day -> day.plusDays(1).atStartOfDay(zone.get()).toInstant());
      if (begin.isPresent() && end.isPresent() && !begin.get().isBefore(end.get())) {
        section.problem(NOT_AFTER, "lies before notBefore", "write the later day as notAfter; it counts as a whole");
      }
      conditions.add(new Condition.Dates(begin, end));
    }
    return conditions;
  }

  private static Optional<LocalTime> hour(YamlValue value) {
    if (value.text().equals("24:00")) {
      return Optional.of(LocalTime.MIDNIGHT);
    }
    try {
      if (value.text().matches("\\d\\d:\\d\\d")) {
        return Optional.of(LocalTime.parse(value.text()));
      }
    } catch (DateTimeParseException e) {
      // Reported below.
    }
    return value.wrong(value.shown() + " is not a time of day", "write it in quotes, from \"00:00\" to \"24:00\"");
  }

  private static Optional<LocalDate> date(YamlValue value) {
    try {
      return Optional.of(LocalDate.parse(value.text()));
    } catch (DateTimeParseException e) {
      return value.wrong(value.shown() + " is not a date", "write it like 2027-01-31");
    }
  }

  private static Optional<ZoneId> zone(YamlValue value) {
    try {
      return Optional.of(ZoneId.of(value.text()));
    } catch (DateTimeException e) {
      return value.wrong(value.shown() + " is not a time zone", "write one like Europe/Berlin or UTC");
    }
  }
}
