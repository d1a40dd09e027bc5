package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditSegments.Place;
import dev.gatehouse.common.audit.AuditSegments.Segment;
import dev.gatehouse.common.audit.AuditTail;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditQuery.Cursor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The index of audit events. {@link #follow} is called again and again by one thread; searches may run meanwhile. A day whose file is
 * missing or damaged is made again from the log.
 */
public final class AuditIndex implements AutoCloseable {

  private static final int AT_ONCE = 5000;
  private static final int STEPS = 20;

  /** The index of some thousand events is quick; searches say until then that they are not complete. */
  private static final int TOLERATED = AT_ONCE;

  private final AuditSegments segments;
  private final JsonLinesAuditLog log;
  private final Duration keep;
  private final InstantSource time;
  private final BooleanSupplier isPaused;
  private final DayIndexes days;
  private final TreeMap<LocalDate, DayRebuild> rebuilds = new TreeMap<>();

  /** Days whose damage a search noticed. */
  private final List<LocalDate> damaged = new ArrayList<>();

  private Optional<AuditTail> tail = Optional.empty();
  private volatile long position;
  private volatile boolean isRebuilding;
  private volatile boolean isClosed;

  /**
   * Creates an index; opens nothing before it is used.
   *
   * @param directory the audit log's directory
   * @param keep days that ended before that time are removed from the index
   * @param isPaused whether space is low, so that nothing is added
   */
  public AuditIndex(
      Path directory, AuditSegments segments, JsonLinesAuditLog log, Duration keep, InstantSource time, BooleanSupplier isPaused) {
    this.segments = segments;
    this.log = log;
    this.keep = keep;
    this.time = time;
    this.isPaused = isPaused;
    this.days = new DayIndexes(directory.resolve("index"));
  }

  static LocalDate day(EventRow row) {
    return LocalDate.ofEpochDay(Math.floorDiv(row.millis(), Duration.ofDays(1).toMillis()));
  }

  private static LocalDate day(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }

  /** Adds the events that were written since, removes old days, and continues to make damaged ones again. */
  public synchronized void follow() throws IOException {
    if (isClosed || isPaused.getAsBoolean()) {
      return;
    }
    if (tail.isEmpty()) {
      begin();
    }
    int added = 1;
    for (int all = 0; all < STEPS * AT_ONCE && added > 0 && !isClosed; all += added) {
      added = followOnce();
    }
    dropOld();
    rebuild();
    days.closeIdle();
  }

  private void begin() throws IOException {
    long last = 0;
    LocalDate oldest = day(time.instant().minus(keep));
    // More than one, in case that the clock was set back or the newest is damaged.
    for (LocalDate day : days.days().descendingSet().stream().limit(3).toList()) {
      last = Math.max(last, days.use(day, DayIndex::followed).orElse(0L));
    }
    NavigableSet<LocalDate> known = days.days();
    List<Segment> all = segments.all();
    position = last > 0 ? last : before(all, oldest.atStartOfDay().toInstant(ZoneOffset.UTC));
    tail = Optional.of(new AuditTail(segments, position));
    if (!known.isEmpty() && last > 0 && !all.isEmpty()) {
      LocalDate first = day(all.getFirst().begin());
      for (LocalDate day = first.isBefore(oldest) ? oldest : first; day.isBefore(known.last()); day = day.plusDays(1)) {
        if (!known.contains(day)) {
          beginRebuild(day);
        }
      }
    }
  }

  /** Returns the number before the first event of the last file that begins before that time, or of the first file at all. */
  static long before(List<Segment> all, Instant time) {
    long before = all.isEmpty() ? 0 : all.getFirst().first() - 1;
    for (Segment segment : all) {
      before = segment.begin().isBefore(time) ? segment.first() - 1 : before;
    }
    return before;
  }

  /** Returns the number of events that were added. */
  private int followOnce() throws IOException {
    List<AuditTail.Line> lines = tail.orElseThrow().next(AT_ONCE, log.written());
    List<EventRow> rows = new ArrayList<>();
    for (AuditTail.Line line : lines) {
      Optional<EventRow> row = EventRow.of(line);
      if (row.isPresent()) {
        if (!rows.isEmpty() && !day(rows.getFirst()).equals(day(row.get()))) {
          add(rows);
          rows.clear();
        }
        rows.add(row.get());
      }
    }
    if (!rows.isEmpty()) {
      add(rows);
    }
    return lines.size();
  }

  /** Adds events of one day. If that fails, they are read again. */
  private void add(List<EventRow> rows) throws IOException {
    LocalDate day = day(rows.getFirst());
    long last = rows.getLast().seq();
    try {
      boolean isAdded = !rebuilds.containsKey(day) && days.use(day, index -> added(index, rows, last)).isPresent();
      if (!isAdded) {
        beginRebuild(day).add(rows);
      }
      position = last;
    } catch (IOException | RuntimeException e) {
      tail.ifPresent(AuditTail::close);
      tail = Optional.of(new AuditTail(segments, position));
      throw e;
    }
  }

  private static boolean added(DayIndex index, List<EventRow> rows, long last) {
    index.add(rows, last);
    return true;
  }

  private void dropOld() throws IOException {
    for (LocalDate day : days.days().headSet(day(time.instant().minus(keep)))) {
      days.drop(day);
    }
  }

  private DayRebuild beginRebuild(LocalDate day) throws IOException {
    DayRebuild known = rebuilds.get(day);
    if (known != null) {
      return known;
    }
    DayRebuild begun = new DayRebuild(day, days.build(day), segments, position);
    rebuilds.put(day, begun);
    isRebuilding = true;
    return begun;
  }

  private void rebuild() throws IOException {
    for (LocalDate day : takeDamaged()) {
      beginRebuild(day);
    }
    for (int i = 0; i < STEPS && !rebuilds.isEmpty() && !isClosed; i++) {
      LocalDate newest = rebuilds.lastKey();
      DayRebuild rebuild = rebuilds.lastEntry().getValue();
      if (rebuild.step(AT_ONCE)) {
        rebuild.complete();
        days.built(newest);
        rebuilds.remove(newest);
      }
    }
    isRebuilding = !rebuilds.isEmpty();
  }

  private List<LocalDate> takeDamaged() {
    synchronized (damaged) {
      List<LocalDate> taken = List.copyOf(damaged);
      damaged.clear();
      return taken;
    }
  }

  /** Returns whether all events up to some thousand of the newest are in the index. */
  public boolean isComplete() throws IOException {
    return !isRebuilding && log.written() - position <= TOLERATED;
  }

  /** Returns a page of events, the newest first. */
  public AuditPage search(AuditQuery query) throws IOException {
    List<Found> rows = new ArrayList<>();
    Instant newest = query.after().map(Cursor::millis).map(Instant::ofEpochMilli).filter(query.to()::isAfter).orElse(query.to());
    for (LocalDate day : days.days().subSet(day(query.from()), true, day(newest), true).descendingSet()) {
      int most = query.limit() + 1 - rows.size();
      Optional<List<Found>> found = days.use(day, index -> index.find(query, most));
      if (found.isEmpty()) {
        isRebuilding = true;
        synchronized (damaged) {
          damaged.add(day);
        }
      }
      rows.addAll(found.orElse(List.of()));
      if (rows.size() > query.limit()) {
        break;
      }
    }
    List<Found> page = rows.subList(0, Math.min(rows.size(), query.limit()));
    Optional<Cursor> next = rows.size() > query.limit() ? Optional.of(page.getLast().cursor()) : Optional.empty();
    return new AuditPage(lines(page), next);
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

  @Override
  public void close() {
    isClosed = true;
    synchronized (this) {
      tail.ifPresent(AuditTail::close);
      rebuilds.values().forEach(DayRebuild::close);
      rebuilds.clear();
    }
    days.close();
  }
}
