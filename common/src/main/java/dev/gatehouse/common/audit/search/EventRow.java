package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments.Place;
import dev.gatehouse.common.audit.AuditTail;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is added to the index for an event.
 *
 * @param keys of what it is found by
 */
record EventRow(long seq, long millis, List<Long> keys, Place place) {

  /** The order of searches. */
  static final Comparator<EventRow> NEWEST_FIRST =
      (a, b) -> a.millis == b.millis ? Long.compare(b.seq, a.seq) : Long.compare(b.millis, a.millis);

  private static final Place NOWHERE = new Place(0, 0, 0);

  /**
   * Returns the row of a line; empty for a line that is no event.
   *
   * @param leftOut names of events that have none, either
   */
  static Optional<EventRow> of(AuditTail.Line line, Set<String> leftOut) {
    return EventFields.of(line.bytes())
        .filter(fields -> !leftOut.contains(fields.event()))
        .map(fields -> new EventRow(line.seq(), fields.millis(), fields.keys(), line.place()));
  }

  /** Returns a row at that position, to find others by {@link #NEWEST_FIRST}. */
  static EventRow probe(AuditQuery.Cursor position) {
    return new EventRow(position.seq(), position.millis(), List.of(), NOWHERE);
  }

  Found found() {
    return new Found(seq, millis, place);
  }
}
