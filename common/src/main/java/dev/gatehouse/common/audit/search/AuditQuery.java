package dev.gatehouse.common.audit.search;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A question to the index.
 *
 * @param terms all of them must hold
 * @param from events at this time or later
 * @param to events before this time
 * @param after the last event of the previous page
 * @param limit number of events at most
 */
public record AuditQuery(Map<AuditTerm, String> terms, Instant from, Instant to, Optional<Cursor> after, int limit) {

  public AuditQuery {
    terms = Map.copyOf(terms);
  }

  /** The place of an event in the order of answers, the newest first: by time and then by number. */
  public record Cursor(long millis, long seq) {

    /** Reads what {@link #toString} wrote. */
    public static Optional<Cursor> parse(String text) {
      String[] parts = text.split("-", -1);
      try {
        return parts.length == 2 ? Optional.of(new Cursor(Long.parseLong(parts[0]), Long.parseLong(parts[1]))) : Optional.empty();
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    @Override
    public String toString() {
      return millis + "-" + seq;
    }
  }

  /** Returns the same question for the events after that one. */
  public AuditQuery after(Cursor cursor) {
    return new AuditQuery(terms, from, to, Optional.of(cursor), limit);
  }
}
