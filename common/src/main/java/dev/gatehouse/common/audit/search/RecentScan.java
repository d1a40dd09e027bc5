package dev.gatehouse.common.audit.search;

import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;

/** A search in the events that are in memory only. */
final class RecentScan implements EventScan {

  private final Iterator<Found> matching;
  private Found event;

  private RecentScan(Iterator<Found> matching, Found begin) {
    this.matching = matching;
    this.event = begin;
  }

  /**
   * Begins a search for the events that have all keys, in the range of the question.
   *
   * @param rows the newest first
   * @param most events at most
   */
  static RecentScan of(NavigableSet<EventRow> rows, List<Long> keys, AuditQuery query, int most) {
    EventRow newest = EventRow.probe(query.newest());
    Iterator<Found> matching =
        rows.subSet(newest, EventRow.probe(query.oldest())).stream()
            .filter(row -> row.keys().containsAll(keys))
            .limit(most)
            .map(EventRow::found)
            .iterator();
    return new RecentScan(matching, newest.found());
  }

  @Override
  public boolean advance() {
    if (!matching.hasNext()) {
      return false;
    }
    event = matching.next();
    return true;
  }

  @Override
  public Found event() {
    return event;
  }

  @Override
  public boolean isMatch() {
    return true;
  }
}
