package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditTail;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the events of one day from the log again, in small steps. */
final class DayRebuild implements AutoCloseable {

  /** Clocks are set back at times: events of a day may be behind some of the next. */
  private static final Duration JITTER = Duration.ofHours(1);

  private final LocalDate day;
  private final AuditTail tail;
  private final Set<String> leftOut;
  private boolean isDone;

  /** @param leftOut names of events that are not in the index */
  DayRebuild(LocalDate day, AuditSegments segments, Set<String> leftOut) throws IOException {
    this.day = day;
    this.leftOut = leftOut;
    Instant begin = day.atStartOfDay().toInstant(ZoneOffset.UTC).minus(JITTER);
    this.tail = new AuditTail(segments, AuditIndex.before(segments.all(), begin));
  }

  /**
   * Reads further lines; returns the events of the day.
   *
   * @param upTo the number of the last event that was followed
   */
  List<EventRow> next(int lines, long upTo) throws IOException {
    List<AuditTail.Line> next = tail.next(lines, upTo);
    List<EventRow> found = new ArrayList<>();
    Instant end = day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC).plus(JITTER);
    isDone = next.isEmpty();
    for (AuditTail.Line line : next) {
      Optional<EventRow> row = EventRow.of(line, leftOut);
      row.filter(one -> AuditIndex.day(one).equals(day)).ifPresent(found::add);
      isDone |= row.filter(one -> one.millis() > end.toEpochMilli()).isPresent();
    }
    return found;
  }

  /** Returns whether all events of the day were read. */
  boolean isDone() {
    return isDone;
  }

  @Override
  public void close() {
    tail.close();
  }
}
