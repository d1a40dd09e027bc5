package dev.gatehouse.common.audit.search;

import java.time.Instant;
import java.util.Comparator;
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

  /**
   * The place of an event in the order of answers, the newest first: by time, then by the log that it is in, and then by number.
   *
   * @param source the log of a node, where the events of several nodes are searched; else 0
   */
  public record Cursor(long millis, int source, long seq) implements Comparable<Cursor> {

    private static final Comparator<Cursor> OLDEST_FIRST =
        Comparator.comparingLong(Cursor::millis).thenComparingInt(Cursor::source).thenComparingLong(Cursor::seq);

    /** Creates a place in the only log. */
    public Cursor(long millis, long seq) {
      this(millis, 0, seq);
    }

    /** Returns the place behind all events of that time. */
    public static Cursor endOf(long millis) {
      return new Cursor(millis, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    @Override
    public int compareTo(Cursor other) {
      return OLDEST_FIRST.compare(other, this);
    }

    /** Reads what {@link #toString} wrote. */
    public static Optional<Cursor> parse(String text) {
      String[] parts = text.split("-", -1);
      try {
        return switch (parts.length) {
          case 2 -> Optional.of(new Cursor(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
          case 3 -> Optional.of(new Cursor(Long.parseLong(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2])));
          default -> Optional.empty();
        };
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    @Override
    public String toString() {
      return source == 0 ? millis + "-" + seq : millis + "-" + source + "-" + seq;
    }
  }

  /** Returns the position of the newest event that may be found. */
  public Cursor newest() {
    Cursor before = Cursor.endOf(to.toEpochMilli() - 1);
    return after
        .map(last -> new Cursor(last.millis(), last.source(), last.seq() - 1))
        .filter(next -> next.compareTo(before) > 0)
        .orElse(before);
  }

  /** Returns the position before the newest event that is too old. */
  Cursor oldest() {
    return Cursor.endOf(from.toEpochMilli() - 1);
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
