package dev.gatehouse.common.store;

import dev.gatehouse.common.session.Session;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes whole key spaces of RocksDB. */
final class RocksHotData implements HotData {

  private static final Logger LOG = LoggerFactory.getLogger(RocksHotData.class);
  private static final byte[] DATA = {'d'};
  private static final int READ_AT_ONCE = 500;

  private final RocksEngine engine;
  private final InstantSource time;
  private final RocksRecords marks;
  private final Consumer<Instant> forget;

  /**
   * @param marks those of the replay cache: the sweeper holds their locks, and others over the same family would not do
   * @param forget records that what was before is unknown
   */
  RocksHotData(RocksEngine engine, InstantSource time, RocksRecords marks, Consumer<Instant> forget) {
    this.engine = engine;
    this.time = time;
    this.marks = marks;
    this.forget = forget;
  }

  private RocksRecords records(String name) {
    return new RocksRecords(engine, name, time);
  }

  @Override
  public void marks(MarkConsumer to) {
    each(
        marks,
        key ->
            marks.read(key).filter(found -> found.isLive(marks.now())).ifPresent(found -> to.accept(key, found.expiresAt())));
  }

  @Override
  public void mark(byte[] digest, Instant expiresAt) {
    Lock lock = marks.lock(digest);
    lock.lock();
    try (RocksRecords.Change change = marks.change()) {
      change.put(digest, marks.read(digest), expiresAt, new byte[0]);
      change.commit();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public <S extends Session> void sessions(StoredKind.Sessions<S> kind, Consumer<S> to) {
    RocksRecords records = records("sessions." + kind.name());
    each(records, key -> records.read(key).flatMap(found -> decoded(kind, found.body())).ifPresent(to));
  }

  private static <S extends Session> Optional<S> decoded(StoredKind.Sessions<S> kind, byte[] body) {
    try {
      return Optional.of(kind.codec().decode(body));
    } catch (IllegalArgumentException e) {
      LOG.warn("A session of {} cannot be read and counts as ended", kind.name());
      return Optional.empty();
    }
  }

  @Override
  public <V> void work(StoredKind.Work<V> kind, Consumer<DueStore.Work<V>> to) {
    RocksDueStore<V> store = new RocksDueStore<>(engine, kind.name(), time, kind.codec());
    each(records("due." + kind.name()), key -> store.find(new String(key, StandardCharsets.UTF_8)).ifPresent(to));
  }

  @Override
  public void loseAllBefore(Instant time) {
    forget.accept(time);
  }

  private static void each(RocksRecords records, Consumer<byte[]> key) {
    byte[] from = DATA;
    List<byte[]> keys;
    do {
      keys = records.keys(DATA, from, READ_AT_ONCE);
      for (byte[] found : keys) {
        key.accept(Arrays.copyOfRange(found, 1, found.length));
      }
      from = keys.isEmpty() ? from : Bytes.following(keys.getLast());
    } while (keys.size() == READ_AT_ONCE);
  }
}
