package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditSegments.Segment;
import dev.gatehouse.common.audit.AuditTail;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of audit events. {@link #follow} is called again and again by one thread; searches may run meanwhile. A day whose file is
 * missing or damaged is made again from the log.
 */
public final class AuditIndex implements EventSearch {

  private static final Logger LOG = LoggerFactory.getLogger(AuditIndex.class);
  private static final int AT_ONCE = 5000;
  private static final int STEPS = 20;

  /** Events in memory that become a part in a file: so many are added again after a kill. */
  private static final int MOST_RECENT = 16_384;

  /** The index of some thousand events is quick; searches say until then that they are not complete. */
  private static final int TOLERATED = AT_ONCE;

  private final AuditSegments segments;
  private final JsonLinesAuditLog log;
  private final Duration keep;
  private final InstantSource time;
  private final BooleanSupplier isPaused;
  private final Set<String> leftOut;
  private final DayIndexes days;
  private final TreeMap<LocalDate, DayRebuild> rebuilds = new TreeMap<>();

  /** Days whose damage a search noticed. */
  private final List<LocalDate> damaged = new ArrayList<>();

  private Optional<AuditTail> tail = Optional.empty();
  private LocalDate newest = LocalDate.MIN;
  private volatile long position;
  private final IndexSearch search;
  private volatile boolean isRebuilding;
  private volatile boolean isClosed;

  /** Creates an index of all events; opens nothing before it is used. */
  public AuditIndex(
      Path directory, AuditSegments segments, JsonLinesAuditLog log, Duration keep, InstantSource time, BooleanSupplier isPaused) {
    this(directory, segments, log, keep, time, isPaused, Set.of());
  }

  /**
   * Creates an index; opens nothing before it is used.
   *
   * @param directory the audit log's directory
   * @param keep days that ended before that time are removed from the index
   * @param isPaused whether space is low, so that nothing is added
   * @param leftOut names of events that are not added
   */
  public AuditIndex(
      Path directory,
      AuditSegments segments,
      JsonLinesAuditLog log,
      Duration keep,
      InstantSource time,
      BooleanSupplier isPaused,
      Set<String> leftOut) {
    this.leftOut = Set.copyOf(leftOut);
    this.segments = segments;
    this.log = log;
    this.keep = keep;
    this.time = time;
    this.isPaused = isPaused;
    this.days = new DayIndexes(directory.resolve("index"));
    this.search = new IndexSearch(days, segments, this::makeAgain);
  }

  static LocalDate day(EventRow row) {
    return LocalDate.ofEpochDay(Math.floorDiv(row.millis(), Duration.ofDays(1).toMillis()));
  }

  static LocalDate day(Instant at) {
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
    flushEnded();
  }

  private void begin() throws IOException {
    days.removeLeftovers();
    for (LocalDate day : days.interruptedRebuilds()) {
      beginRebuild(day);
    }
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
  public static long before(List<Segment> all, Instant time) {
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
      Optional<EventRow> row = EventRow.of(line, leftOut);
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
    if (!lines.isEmpty()) {
      position = lines.getLast().seq();
    }
    return lines.size();
  }

  /** Adds events of one day. If that fails, they are read again. */
  private void add(List<EventRow> rows) throws IOException {
    LocalDate day = day(rows.getFirst());
    try {
      // A day that is being made again is read from the log up to the position.
      if (!rebuilds.containsKey(day)) {
        flushIfMany();
        if (days.use(day, index -> added(index, rows)).isEmpty()) {
          beginRebuild(day);
        }
      }
      position = rows.getLast().seq();
    } catch (IOException | RuntimeException e) {
      tail.ifPresent(AuditTail::close);
      tail = Optional.of(new AuditTail(segments, position));
      throw e;
    }
  }

  private static boolean added(DayIndex index, List<EventRow> rows) {
    index.add(rows);
    return true;
  }

  private void flushIfMany() throws IOException {
    if (days.recentSize() >= MOST_RECENT) {
      flush();
    }
  }

  /** Makes parts of all events that are in memory only. */
  private void flush() throws IOException {
    for (LocalDate day : days.recentDays()) {
      flush(day);
    }
  }

  private void flush(LocalDate day) throws IOException {
    if (!days.flush(day, days.followedWithout(day, position), isOver(day))) {
      beginRebuild(day);
    }
  }

  private boolean isOver(LocalDate day) throws IOException {
    return days.days().higher(day) != null;
  }

  /** Makes few parts of each day that ended since, and of late events. */
  private void flushEnded() throws IOException {
    NavigableSet<LocalDate> known = days.days();
    if (known.isEmpty()) {
      return;
    }
    NavigableSet<LocalDate> recent = days.recentDays();
    for (LocalDate day : known.headSet(known.last())) {
      if (!rebuilds.containsKey(day) && (recent.contains(day) || !day.isBefore(newest))) {
        flush(day);
      }
    }
    newest = known.last();
  }

  private void dropOld() throws IOException {
    for (LocalDate day : days.days().headSet(day(time.instant().minus(keep)))) {
      days.drop(day);
    }
  }

  private void beginRebuild(LocalDate day) throws IOException {
    DayRebuild begun = new DayRebuild(day, segments, leftOut);
    days.beginRebuild(day);
    Optional.ofNullable(rebuilds.put(day, begun)).ifPresent(DayRebuild::close);
    isRebuilding = true;
  }

  private void rebuild() throws IOException {
    for (LocalDate day : takeDamaged()) {
      beginRebuild(day);
    }
    for (int i = 0; i < STEPS && !rebuilds.isEmpty() && !isClosed; i++) {
      rebuildOnce(rebuilds.lastKey(), rebuilds.lastEntry().getValue());
    }
    isRebuilding = !rebuilds.isEmpty();
  }

  private void rebuildOnce(LocalDate day, DayRebuild rebuild) throws IOException {
    flushIfMany();
    List<EventRow> rows = rebuild.next(AT_ONCE, position);
    if (days.use(day, index -> added(index, rows)).isEmpty()) {
      beginRebuild(day);
    } else if (rebuild.isDone()) {
      flush();
      days.endRebuild(day);
      rebuild.close();
      rebuilds.remove(day, rebuild);
    }
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

  @Override
  public Coverage coverage(Instant to) throws IOException {
    return new Coverage(isComplete(), List.of());
  }

  @Override
  public AuditPage search(AuditQuery query) throws IOException {
    return search.page(query, () -> false);
  }

  @Override
  public AuditPage search(AuditQuery query, Duration atMost) throws IOException {
    long begun = System.nanoTime();
    return search.page(query, () -> System.nanoTime() - begun >= atMost.toNanos());
  }

  private void makeAgain(LocalDate day) {
    isRebuilding = true;
    synchronized (damaged) {
      damaged.add(day);
    }
  }

  @Override
  public void close() {
    isClosed = true;
    synchronized (this) {
      try {
        if (!isPaused.getAsBoolean()) {
          flush();
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("The newest events are added to the index again after the next start", e);
      }
      tail.ifPresent(AuditTail::close);
      rebuilds.values().forEach(DayRebuild::close);
      rebuilds.clear();
    }
    days.close();
  }
}
