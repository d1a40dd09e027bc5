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

/** Makes the index of one day again from the log, in small steps. */
final class DayRebuild implements AutoCloseable {

  /** Clocks are set back at times: events of a day may be behind some of the next. */
  private static final Duration JITTER = Duration.ofHours(1);

  private final LocalDate day;
  private final DayIndex index;
  private final AuditTail tail;
  private final long upTo;
  private long last;

  /** @param upTo the number of the last event that was followed before */
  DayRebuild(LocalDate day, DayIndex index, AuditSegments segments, long upTo) throws IOException {
    this.day = day;
    this.index = index;
    this.upTo = upTo;
    Instant begin = day.atStartOfDay().toInstant(ZoneOffset.UTC).minus(JITTER);
    this.tail = new AuditTail(segments, AuditIndex.before(segments.all(), begin));
  }

  /** Reads further lines; returns whether that was all. */
  boolean step(int lines) throws IOException {
    List<AuditTail.Line> next = tail.next(lines, upTo);
    List<EventRow> rows = new ArrayList<>();
    Instant end = day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC).plus(JITTER);
    boolean isBehind = false;
    for (AuditTail.Line line : next) {
      Optional<EventRow> row = EventRow.of(line);
      row.filter(one -> AuditIndex.day(one).equals(day)).ifPresent(rows::add);
      isBehind |= row.filter(one -> one.millis() > end.toEpochMilli()).isPresent();
    }
    add(rows);
    return next.isEmpty() || isBehind;
  }

  /** Adds events; also those that were written meanwhile. */
  void add(List<EventRow> rows) {
    index.add(rows, 0);
    for (EventRow row : rows) {
      last = Math.max(last, row.seq());
    }
  }

  /** Notes how far this day was followed, and closes the index. */
  void complete() {
    index.add(List.of(), last);
    close();
  }

  @Override
  public void close() {
    tail.close();
    DayIndexes.close(index);
  }
}
