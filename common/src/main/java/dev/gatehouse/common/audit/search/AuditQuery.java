package dev.gatehouse.common.audit.search;

import java.time.Instant;
import java.util.List;
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
  public record Cursor(long millis, long seq) implements Comparable<Cursor> {

    @Override
    public int compareTo(Cursor other) {
      int order = Long.compare(other.millis, millis);
      return order == 0 ? Long.compare(other.seq, seq) : order;
    }

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

  /** Returns the position of the newest event that may be found. */
  Cursor newest() {
    Cursor before = new Cursor(to.toEpochMilli() - 1, Long.MAX_VALUE);
    return after.map(last -> new Cursor(last.millis(), last.seq() - 1)).filter(next -> next.compareTo(before) > 0).orElse(before);
  }

  /** Returns the position before the newest event that is too old. */
  Cursor oldest() {
    return new Cursor(from.toEpochMilli() - 1, Long.MAX_VALUE);
  }

  /** Returns the keys of the terms. */
  List<Long> keys() {
    return terms.entrySet().stream().map(term -> term.getKey().key(term.getValue())).toList();
  }

  /** Returns the same question for the events after that one. */
  public AuditQuery after(Cursor cursor) {
    return new AuditQuery(terms, from, to, Optional.of(cursor), limit);
  }
}
