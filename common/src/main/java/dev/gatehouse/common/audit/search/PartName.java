package dev.gatehouse.common.audit.search;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a part, {@code 2026-11-23_1-16384.part}.
 *
 * @param first the number of its first event; 0 if it has none
 * @param last the number of its last event
 */
record PartName(LocalDate day, long first, long last) implements Comparable<PartName> {

  private static final Pattern FORM = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)_(\\d{1,18})-(\\d{1,18})\\.part");

  /** Reads what {@link #toString} wrote. */
  static Optional<PartName> parse(String name) {
    Matcher form = FORM.matcher(name);
    try {
      return form.matches()
          ? Optional.of(new PartName(LocalDate.parse(form.group(1)), Long.parseLong(form.group(2)), Long.parseLong(form.group(3))))
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Returns whether the other is a leftover: its events were merged into this one. */
  boolean contains(PartName other) {
    return day.equals(other.day) && first <= other.first && other.last <= last && !equals(other);
  }

  @Override
  public int compareTo(PartName other) {
    return Long.compare(first, other.first);
  }

  @Override
  public String toString() {
    return day + "_" + first + "-" + last + ".part";
  }
}
