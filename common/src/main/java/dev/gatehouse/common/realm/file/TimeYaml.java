package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.PolicyConfig.Condition;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code time} of a rule: days of the week, hours and dates in one zone. */
final class TimeYaml {

  private static final Map<String, DayOfWeek> DAYS = days();

  private final YamlSection section;

  TimeYaml(YamlSection section) {
    this.section = section;
  }

  List<Condition> read() {
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    section.values("days").forEach(value -> value.choice(DAYS).ifPresent(days::add));
    Optional<LocalTime> from = section.value("from").flatMap(TimeYaml::hour);
    Optional<LocalTime> to = section.value("to").flatMap(TimeYaml::hour);
    Optional<LocalDate> notBefore = section.value("notBefore").flatMap(TimeYaml::date);
    Optional<LocalDate> notAfter = section.value("notAfter").flatMap(TimeYaml::date);
    Optional<ZoneId> zone =
        section.required("zone", TimeYaml::zone, "write whose clock counts, like Europe/Berlin or UTC");
    if (section.has("from") != section.has("to")) {
      section.problem(section.has("from") ? "to" : "from", "is missing", "write both from and to, or none of them");
    }
    boolean weekly = !days.isEmpty() || from.isPresent() && to.isPresent();
    boolean dated = notBefore.isPresent() || notAfter.isPresent();
    List<Condition> conditions = new ArrayList<>();
    if (zone.isEmpty()) {
      return conditions;
    }
    boolean alone = section.names().equals(List.of("zone"));
    if (alone) {
      section.problem("zone", "stands alone", "add days, from and to, notBefore or notAfter");
    }
    if (weekly) {
      conditions.add(
          new Condition.Weekly(
              days.isEmpty() ? Set.of(DayOfWeek.values()) : Collections.unmodifiableSet(days),
              from.orElse(LocalTime.MIDNIGHT),
              to.orElse(LocalTime.MIDNIGHT),
              zone.get()));
    }
    if (dated) {
      Optional<Instant> begin = notBefore.map(day -> day.atStartOfDay(zone.get()).toInstant());
      Optional<Instant> end = notAfter.map(day -> day.plusDays(1).atStartOfDay(zone.get()).toInstant());
      if (begin.isPresent() && end.isPresent() && !begin.get().isBefore(end.get())) {
        section.problem("notAfter", "lies before notBefore", "write the later day as notAfter; it counts as a whole");
      }
      conditions.add(new Condition.Dates(begin, end));
    }
    return conditions;
  }

  private static Map<String, DayOfWeek> days() {
    Map<String, DayOfWeek> days = new LinkedHashMap<>();
    for (DayOfWeek day : DayOfWeek.values()) {
      days.put(day.name().substring(0, 3).toLowerCase(Locale.ROOT), day);
    }
    return Collections.unmodifiableMap(days);
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
