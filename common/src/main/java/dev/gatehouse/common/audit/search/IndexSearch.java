package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditSegments.Place;
import dev.gatehouse.common.audit.search.AuditQuery.Cursor;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Searches the days of an index and reads what it finds from the log.
 *
 * @param damaged takes a day whose index cannot be read
 */
record IndexSearch(DayIndexes days, AuditSegments segments, Consumer<LocalDate> damaged) {

  /**
   * Returns a page of events, the newest first.
   *
   * @param isLate whether to stop and say how far it looked back
   */
  AuditPage page(AuditQuery query, BooleanSupplier isLate) throws IOException {
    List<Found> rows = new ArrayList<>();
    Optional<Cursor> stopped = Optional.empty();
    Instant newest = query.after().map(Cursor::millis).map(Instant::ofEpochMilli).filter(query.to()::isAfter).orElse(query.to());
    NavigableSet<LocalDate> range = days.days().subSet(AuditIndex.day(query.from()), true, AuditIndex.day(newest), true);
    for (LocalDate day : range.descendingSet()) {
      int most = query.limit() + 1 - rows.size();
      DayIndex.Answer answer = days.use(day, index -> index.find(query, most, isLate)).orElseGet(() -> without(day));
      rows.addAll(answer.found());
      boolean isLast = day.equals(range.first());
      stopped = answer.stopped().or(() -> isLate.getAsBoolean() && !isLast ? Optional.of(before(day)) : Optional.empty());
      if (rows.size() > query.limit() || stopped.isPresent()) {
        break;
      }
    }
    if (rows.size() > query.limit()) {
      List<Found> page = rows.subList(0, query.limit());
      return new AuditPage(lines(page), Optional.of(page.getLast().cursor()), Optional.empty());
    }
    return new AuditPage(lines(rows), stopped, stopped.map(Cursor::millis).map(Instant::ofEpochMilli));
  }

  private DayIndex.Answer without(LocalDate day) {
    damaged.accept(day);
    return new DayIndex.Answer(List.of(), Optional.empty());
  }

  /** Returns the position before the newest event of the days before. */
  private static Cursor before(LocalDate day) {
    return Cursor.endOf(day.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli() - 1);
  }

  private List<byte[]> lines(List<Found> rows) throws IOException {
    Map<Long, Place> places = new HashMap<>();
    rows.forEach(row -> places.put(row.seq(), row.place()));
    Map<Long, byte[]> read = segments.read(places);
    return rows.stream().map(row -> withoutFeed(read.getOrDefault(row.seq(), new byte[0]), row)).toList();
  }

  private static byte[] withoutFeed(byte[] line, Found row) {
    return line.length == 0 ? row.toJson() : Arrays.copyOf(line, line.length - 1);
  }
}
