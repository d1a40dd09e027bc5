package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.PatternStore;
import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditTail;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.AnalyticsNodeConfig;
import dev.gatehouse.common.throttle.Turn;
import dev.gatehouse.common.throttle.Turns;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The analytics of a node. {@link #follow} is called again and again by one thread, and {@link #lookForPatterns} by another one; questions
 * may be asked meanwhile.
 *
 * <p>Events are counted exactly once: the store keeps the number of the last event together with the sums, and after a restart the next
 * ones are read from the audit log. What metrics measured is lost with the process unless it was stored, at most ten seconds of it.
 * While nothing can be stored, sums wait in memory; when an hour waits, events wait in the audit log instead, and what metrics measured
 * goes to the minute in which storing works again.
 */
public final class Analytics implements AutoCloseable {

  /** How long seconds are in memory. */
  public static final Duration LIVE = Duration.ofMinutes(5);

  /** How often sums are stored. */
  static final Duration STORED_EVERY = Duration.ofSeconds(10);

  private static final Duration MEASURED_EVERY = Duration.ofSeconds(1);
  private static final Duration DROPPED_EVERY = Duration.ofMinutes(10);
  private static final String RETENTION = "analytics-retention";
  private static final int MOST_WAITING_MINUTES = 60;
  private static final int AT_ONCE = 5000;

  private static final int REPEATED_BATCHES = 3;

  /** Of this node, in which unusual patterns are looked for. */
  private static final int MOST_LOGINS = 100_000;

  /** Then it is looked whether sums are to be stored; more events may have come meanwhile. */
  private static final int STEPS = 20;

  /**
   * What analytics are made from.
   *
   * @param isPaused whether space is low, so that nothing is stored
   * @param turns of removing what is old, which one node does for all
   */
  public record Sources(
      JsonLinesAuditLog log, AuditSegments segments, MetricFamilies metrics, Supplier<CacheCounts> cache, Places places,
      BooleanSupplier isPaused, Turns turns) {
    /** The sources of a node that is alone. */
    public Sources(
        JsonLinesAuditLog log, AuditSegments segments, MetricFamilies metrics, Supplier<CacheCounts> cache, Places places,
        BooleanSupplier isPaused) {
      this(log, segments, metrics, cache, places, isPaused, Turns.ALONE);
    }
  }

  private final IntSupplier number;
  private final Sources sources;
  private final RollupStore store;
  private final PatternStore patterns;
  private final AnalyticsNodeConfig config;
  private final InstantSource time;
  private final LiveSums live = new LiveSums();
  private final PendingSums pending;
  private final PendingLogins logins = new PendingLogins();
  private final PatternDetector detector;
  private final EventSums events;
  private final MetricSums metrics;

  private volatile int node;
  private Optional<AuditTail> tail = Optional.empty();
  private Optional<Batch> unsettled = Optional.empty();
  private long batches;
  private int lookedNode;
  private OptionalLong lookedUpTo = OptionalLong.empty();
  private Instant patternsDroppedAt = Instant.EPOCH;
  private long followed;
  private Instant measuredAt = Instant.EPOCH;
  private Instant storedAt = Instant.EPOCH;
  private Instant droppedAt = Instant.EPOCH;
  private boolean isClosed;
  private volatile Instant storedUpTo;

  /** @param number of the node, which may become another one while the store is away */
  public Analytics(
      IntSupplier number, Sources sources, RollupStore store, PatternStore patterns, AnalyticsNodeConfig config, InstantSource time) {
    this.number = number;
    this.node = number.getAsInt();
    this.sources = sources;
    this.store = store;
    this.patterns = patterns;
    this.config = config;
    this.time = time;
    this.pending = new PendingSums(config.values(), live);
    this.detector = new PatternDetector(patterns, sources.places());
    this.events = new EventSums(pending, logins);
    this.metrics = new MetricSums(sources.metrics(), sources.cache());
    this.storedUpTo = time.instant();
  }

  /** Counts what happened since, and stores and removes what is due. */
  public synchronized void follow() throws IOException {
    if (isClosed) {
      return;
    }
    Instant now = time.instant();
    if (tail.isEmpty()) {
      begin(now);
    }
    readEvents();
    live.expire(now);
    try {
      measure(now);
    } finally {
      // Even if a metric cannot be read.
      storeDue(now);
    }
  }

  private void storeDue(Instant now) {
    if (isDue(storedAt, STORED_EVERY, now) && !sources.isPaused().getAsBoolean()) {
      storedAt = now;
      store(now);
    }
    if (isDue(droppedAt, DROPPED_EVERY, now)) {
      droppedAt = now;
      drop(now);
    }
  }

  private void measure(Instant now) {
    if (isDue(measuredAt, MEASURED_EVERY, now) && pending.minutes() < MOST_WAITING_MINUTES) {
      measuredAt = now;
      metrics.addTo(pending, now);
    }
  }

  /** Also due after the clock was set back. */
  private static boolean isDue(Instant last, Duration every, Instant now) {
    return Duration.between(last, now).abs().compareTo(every) >= 0;
  }

  private void begin(Instant now) throws IOException {
    node = number.getAsInt();
    long written = sources.log().written();
    Optional<RollupStore.Progress> progress = store.progress(node);
    batches = progress.map(RollupStore.Progress::batches).orElse(0L);
    // A log that was lost, or never counted, is counted from here on.
    followed = progress.map(RollupStore.Progress::followed).filter(last -> last <= written).orElse(written);
    if (progress.isEmpty() || progress.get().followed() != followed) {
      store.begin(node, followed);
    }
    storedAt = now;
    tail = Optional.of(new AuditTail(sources.segments(), followed));
  }

  private void readEvents() throws IOException {
    int added = 1;
    for (int i = 0; i < STEPS && added > 0 && pending.minutes() < MOST_WAITING_MINUTES; i++) {
      List<AuditTail.Line> lines = tail.orElseThrow().next(AT_ONCE, sources.log().written());
      lines.forEach(line -> events.add(line.bytes()));
      followed = lines.isEmpty() ? followed : lines.getLast().seq();
      added = lines.size();
    }
  }

  /** Another node counts under the former number by now. The batch whose outcome is not known is dropped: it might be counted twice. */
  private void renumber() {
    int now = number.getAsInt();
    if (now != node) {
      batches = store.progress(now).map(RollupStore.Progress::batches).orElse(0L);
      store.begin(now, followed);
      unsettled = Optional.empty();
      node = now;
    }
  }

  /** Stores what waits. A batch whose outcome is not known is tried again as it was. */
  private void store(Instant now) {
    renumber();
    if (unsettled.isPresent()) {
      store.add(node, unsettled.get());
      unsettled = Optional.empty();
    }
    Batch next = new Batch(batches + 1, followed, pending.take(), logins.take());
    if (!next.minutes().isEmpty() || !next.logins().isEmpty()) {
      batches = next.number();
      unsettled = Optional.of(next);
      store.add(node, next);
      unsettled = Optional.empty();
    }
    storedUpTo = now;
  }

  /**
   * Looks for unusual patterns in what was stored since, and removes old ones. Called again and again by a thread of its own: it may take
   * longer than the live seconds may wait.
   */
  public void lookForPatterns() {
    if (sources.isPaused().getAsBoolean()) {
      return;
    }
    synchronized (detector) {
      Instant now = time.instant();
      long stored = storedBatches();
      if (lookedNode != node) {
        lookedNode = node;
        lookedUpTo = OptionalLong.empty();
      }
      // The process may have ended between storing its last batches and looking at them.
      long after = lookedUpTo.orElse(Math.max(0, stored - REPEATED_BATCHES));
      if (after < stored) {
        detector.look(new PatternStore.Batches(node, after, stored), now);
      }
      lookedUpTo = OptionalLong.of(stored);
      Optional<Turn> turn = sources.turns().take(RETENTION);
      turn.ifPresent(
          ours -> ours.write(() -> patterns.dropLogins(now.minus(PatternDetector.WINDOW), now.minus(detector.successesNeeded()))));
      if (isDue(patternsDroppedAt, DROPPED_EVERY, now)) {
        patternsDroppedAt = now;
        turn.ifPresent(ours -> ours.write(() -> patterns.dropPatterns(now.minus(config.patterns()))));
        patterns.keepLatestLogins(node, MOST_LOGINS);
      }
    }
  }

  /** Returns the number of the last batch whose outcome is known; at first that of the process before. */
  private synchronized long storedBatches() {
    long known = unsettled.isPresent() ? batches - 1 : batches;
    return tail.isPresent() ? known : store.progress(node).map(RollupStore.Progress::batches).orElse(0L);
  }

  private void drop(Instant now) {
    sources.turns()
        .take(RETENTION)
        .ifPresent(
            turn -> {
              turn.write(() -> store.drop(Resolution.MINUTE, now.minus(config.minutes())));
              turn.write(() -> store.drop(Resolution.HOUR, now.minus(config.hours())));
              turn.write(() -> store.drop(Resolution.DAY, now.minus(config.days())));
            });
  }

  /** Returns the time until which this node's sums are stored; before the first ones the time of its start. */
  public Instant storedUpTo() {
    return storedUpTo;
  }

  /** Returns the totals of the last minutes by second, of this node alone. */
  public List<RollupStore.Row> live(Series series, String realm) {
    return live.read(series, realm);
  }

  /** Returns stored sums. */
  public RollupStore store() {
    return store;
  }

  /** Returns unusual patterns. */
  public PatternStore patterns() {
    return patterns;
  }

  /** Removes the logins of a person and patterns about them, and returns what was stored. */
  public PatternStore.OfPerson erase(PatternStore.Erased person) {
    // Neither a batch nor a pattern that was begun before is stored afterwards.
    synchronized (detector) {
      synchronized (this) {
        logins.forget(person);
        unsettled = unsettled.map(batch -> PendingLogins.without(person, batch));
        return patterns.erase(person);
      }
    }
  }

  /** Stores what waits. */
  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    if (tail.isPresent()) {
      try {
        readEvents();
        measure(time.instant());
      } finally {
        store(time.instant());
        tail.get().close();
      }
    }
  }
}
