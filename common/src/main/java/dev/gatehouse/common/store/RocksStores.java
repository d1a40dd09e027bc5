package dev.gatehouse.common.store;

import dev.gatehouse.common.installation.RecordLocation;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stores of one RocksDB: of {@code storage: embedded} in {@code data/rocksdb}, opened by one process at a time; of {@code
 * storage: volatile} in memory, lost when the process ends.
 *
 * <p>Acknowledged writes survive the end of the process, including kill -9: the operating system has them. They are forced to
 * disk once a second, so loss of power may lose the last second. After that, {@link ReplayCache#completeSince} is the time of
 * the next start, because a mark may have been lost.
 */
public final class RocksStores implements Stores, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RocksStores.class);
  private static final int SWEPT_AT_ONCE = 512;

  /** The interval at which disk space of deleted records is freed. */
  private static final Duration TIDY = Duration.ofMinutes(10);

  /** Size of stores in memory from which they are full. */
  private static final long MEMORY_BYTES = 512 << 20;

  /** Shorter logs are not rewritten. */
  private static final long LOG_BYTES = 4 << 20;

  private final RocksEngine engine;
  /** Of copies, which go with the process; none of stores in memory. */
  private final Optional<Path> copies;
  private final List<MappedCopies> copied = new CopyOnWriteArrayList<>();
  private final InstantSource time;
  private final RocksLife life;
  private final RocksReplayCache replayCache;
  private final RocksInstallationRecord record;
  private final KeySpaces keySpaces = new KeySpaces();
  private final List<RocksSweep> swept = new CopyOnWriteArrayList<>();
  private final List<RocksSingleUseStore<?>> postponing = new CopyOnWriteArrayList<>();
  /** One thread syncs and sweeps every second, while another may be compacting. */
  private final ScheduledExecutorService background =
      Executors.newScheduledThreadPool(
          2,
          Thread.ofPlatform().name("gatehouse-stores").daemon().factory());
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean full;
  private volatile LongConsumer synced = position -> {};
  // Used only by the background thread.
  private boolean failing;

  /**
   * Opens or creates the data.
   *
   * @param data the node's data directory
   * @throws StoreUnavailable if the data cannot be opened, for example because another process has them open
   */
  public RocksStores(Path data, InstantSource time) {
    this(data, time, List.of());
  }

  /**
   * Opens or creates the data.
   *
   * @param data the node's data directory
   * @param expected the column families that new data get at once, which is much faster than one after another
   * @throws StoreUnavailable if the data cannot be opened, for example because another process has them open
   */
  public RocksStores(Path data, InstantSource time, Collection<String> expected) {
    this(RocksEngine.onDisk(data.resolve("rocksdb"), expected), Optional.of(data.resolve("copies")), time);
  }

  /** Loads the native library; the first stores would do so, which takes a while. */
  public static void loadLibrary() {
    RocksDB.loadLibrary();
  }

  /** Creates empty stores in memory. They are lost when they are closed, so no mark is known from before. */
  public static RocksStores inMemory(InstantSource time) {
    return new RocksStores(RocksEngine.inMemory(), Optional.empty(), time);
  }

  private RocksStores(RocksEngine engine, Optional<Path> copies, InstantSource time) {
    this.engine = engine;
    this.copies = copies;
    this.time = time;
    try {
      this.record = new RocksInstallationRecord(engine);
      this.life = new RocksLife(engine, RocksLife.bootId());
      Instant begun = life.begin(time.instant());
      this.replayCache = new RocksReplayCache(engine, time, engine.isInMemory() ? time.instant() : begun);
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
    swept.add(replayCache.sweep());
    background.scheduleWithFixedDelay(this::syncAndSweep, 1, 1, TimeUnit.SECONDS);
    background.scheduleWithFixedDelay(this::tidyInBackground, TIDY.toSeconds(), TIDY.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    keySpaces.claim(name);
    RocksSessionStore<S> store = new RocksSessionStore<>(engine, name, time, codec, expired);
    if (expired == Expired.FORGOTTEN) {
      swept.add(store.sweep());
    }
    return store;
  }

  @Override
  public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    RocksSingleUseStore<V> store = new RocksSingleUseStore<>(engine, name, time, codec);
    swept.add(store.sweep());
    postponing.add(store);
    return store;
  }

  @Override
  public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    return new RocksDueStore<>(engine, name, time, codec);
  }

  @Override
  public <V> Optional<ValueJournal<V>> journal(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    RocksValueJournal<V> journal = new RocksValueJournal<>(engine, name, codec);
    return engine.isInMemory() ? Optional.empty() : Optional.of(journal);
  }

  @Override
  public Optional<CopyStore> copies(String name) {
    keySpaces.claim(name);
    Optional<MappedCopies> opened = copies.flatMap(folder -> MappedCopies.open(folder, name));
    opened.ifPresent(copied::add);
    return opened.map(Function.identity());
  }

  @Override
  public ReplayCache replayCache() {
    return replayCache;
  }

  @Override
  public Instant tokensNotBefore() {
    return record.tokensNotBefore();
  }

  /** Returns the place of the installation's record. */
  public RecordLocation installationRecord() {
    return record;
  }

  /** Adds the metrics of the stores. */
  public void publish(MetricFamilies metrics) {
    RocksMetrics.publish(engine, closed::get, metrics);
  }

  /** Returns the number of the latest change. */
  public long position() {
    return engine.position();
  }

  /** Writes memtables to tables and begins a new log. */
  void flush() {
    engine.flush();
  }

  /** Sets the listener that receives, every second, a position that is on disk. */
  public void onSynced(LongConsumer listener) {
    synced = listener;
  }

  /**
   * Creates a store in an empty folder in place of a lost one. It records that tokens issued before are invalid, because
   * nobody knows which of them were revoked or used.
   */
  public static RocksStores inPlaceOfLost(Path data, InstantSource time) {
    RocksStores made = new RocksStores(data, time);
    made.loseAllBefore(time.instant());
    return made;
  }

  private void loseAllBefore(Instant before) {
    life.loseAllBefore(before);
    record.refuseTokensBefore(before);
  }

  /** Returns access to whole key spaces, for a move. */
  public HotData hotData() {
    return new RocksHotData(engine, time, replayCache.records(), this::loseAllBefore);
  }

  @Override
  public Optional<String> problem() {
    return engine.problem();
  }

  /** Returns whether stores in memory have reached their bound, as measured every second: callers then store nothing new. */
  public boolean isFull() {
    return full;
  }

  /** Compares the size of stores in memory with their bound; the background does so every second. */
  void measure(long bound) {
    full = engine.isInMemory() && engine.bytes() > bound;
  }

  /** Removes expired records; the background does so every second. */
  void sweep() {
    each(swept, this::sweep);
  }

  private void sweep(RocksSweep sweep) {
    while (!closed.get() && sweep.sweep(SWEPT_AT_ONCE) == SWEPT_AT_ONCE) {
      engine.sync();
    }
  }

  /** Does this for all of them, even if it fails for one; then throws the first failure. */
  private static <T> void each(List<T> all, Consumer<T> action) {
    List<RuntimeException> failures = new ArrayList<>();
    for (T one : all) {
      try {
        action.accept(one);
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  /** Frees the disk space of deleted records; the background does so every ten minutes. */
  void tidy() {
    engine.tidy(LOG_BYTES);
  }

  private void tidyInBackground() {
    try {
      tidy();
    } catch (Throwable e) {
      // Errors are caught too: an exception thrown from here would end this task for good.
      LOG.warn("The embedded stores could not be compacted; it will be tried again", e);
    }
  }

  private void syncAndSweep() {
    try {
      if (engine.problem().isPresent()) {
        // RocksDB recovers some seconds after there is space again; perhaps nobody else writes then.
        life.probe();
        LOG.info("The embedded stores can be written again");
      }
      try {
        writePostponed();
      } finally {
        // Whatever fails beside it, acknowledged writes reach the disk.
        sync();
      }
      try {
        sweep();
      } finally {
        measure(MEMORY_BYTES);
      }
      failing = false;
    } catch (Throwable e) {
      // Errors are caught too: an exception thrown from here would end this task for good.
      // It may fail every second until it is over: log it once.
      if (!failing) {
        LOG.error("The embedded stores cannot be synced or swept", e);
      }
      failing = true;
      engine.probeDisk();
    }
  }

  private void sync() {
    long position = engine.position();
    engine.sync();
    synced.accept(position);
  }

  /** Performs postponed writes; the background does so every second. */
  void writePostponed() {
    each(postponing, RocksSingleUseStore::writePostponed);
  }

  /** Ends the background work, waits for running calls, and closes the data. Later calls fail. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    // Not shutdownNow: an interrupt would close our files or H2's under a thread that writes them.
    background.shutdown();
    try {
      if (!background.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("The stores' background work did not end within 10 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      writePostponed();
    } catch (RuntimeException e) {
      LOG.warn("Postponed writes failed and are lost", e);
    }
    copied.forEach(MappedCopies::close);
    try {
      life.end();
    } finally {
      engine.close();
    }
  }
}
