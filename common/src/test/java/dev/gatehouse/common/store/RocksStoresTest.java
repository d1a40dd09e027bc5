package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;

class RocksStoresTest extends StoresContract {

  @TempDir Path data;
  private final List<RocksStores> opened = new ArrayList<>();

  @Override
  RocksStores open(InstantSource time) {
    RocksStores stores = new RocksStores(data, time);
    opened.add(stores);
    return stores;
  }

  @AfterEach
  void close() {
    opened.forEach(RocksStores::close);
  }

  @Test
  void anUpdateThatWasPutOffIsWrittenAtTheLatestByAStop() {
    TestTime time = new TestTime();
    Instant end = time.instant().plusSeconds(60);
    try (RocksStores stores = open(time)) {
      SingleUseStore<String> store = stores.singleUse("devices", new TextCodec());
      store.updateLater("written", before -> "first", end);
      stores.writePostponed();
      store.updateLater("written", before -> before.orElseThrow() + ", second", end);
      store.updateLater("new", before -> "value", end);
    }
    SingleUseStore<String> store = open(time).singleUse("devices", new TextCodec());
    assertThat(store.peek("written")).contains("first, second");
    assertThat(store.peek("new")).contains("value");
  }

  /** For example a value that an earlier version wrote, in another format. */
  @Test
  void oneThatCannotBeReadOrChangedStopsNoOtherUpdateThatWasPutOff() {
    TestTime time = new TestTime();
    Instant end = time.instant().plusSeconds(60);
    try (RocksStores stores = open(time)) {
      stores.singleUse("devices", new OtherFormat()).put("unreadable", "former", end);
    }
    try (RocksStores stores = open(time)) {
      SingleUseStore<String> store = stores.singleUse("devices", new TextCodec());
      store.updateLater("unreadable", before -> before.orElse("nothing") + ", new", end);
      store.updateLater(
          "failing",
          before -> {
            throw new IllegalStateException("of the test");
          },
          end);
      store.updateLater("other", before -> "value", end);
    }
    SingleUseStore<String> store = open(time).singleUse("devices", new TextCodec());
    assertThat(store.peek("unreadable")).contains("nothing, new");
    assertThat(store.peek("failing")).isEmpty();
    assertThat(store.peek("other")).contains("value");
  }

  @Test
  void anUpdateThatWasPutOffAndFailsDoesNotProlongTheValue() {
    TestTime time = new TestTime();
    Instant end = time.instant().plusSeconds(60);
    try (RocksStores stores = open(time)) {
      SingleUseStore<String> store = stores.singleUse("devices", new TextCodec());
      for (String key : List.of("written", "asked")) {
        store.put(key, "value", end);
        store.updateLater(
            key,
            before -> {
              throw new IllegalStateException("of the test");
            },
            end.plusSeconds(60));
      }
      assertThat(store.peek("asked")).contains("value");
      time.advance(Duration.ofSeconds(60));
      assertThat(store.peek("asked")).as("before the change is written").isEmpty();
      time.advance(Duration.ofSeconds(-1));
      stores.writePostponed();
      assertThat(store.peek("written")).contains("value");
      time.advance(Duration.ofSeconds(1));
      assertThat(store.peek("written")).isEmpty();
    }
  }

  private static final class OtherFormat implements ValueCodec<String> {
    @Override
    public byte[] encode(String value) {
      return ("\7" + value).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes) {
      return new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
    }
  }

  /** A browser forgotten because of a password change stays forgotten, whatever was postponed before. */
  @Test
  void noUpdateThatWasPutOffUndoesWhatWasWrittenSince() throws Exception {
    TestTime time = new TestTime();
    Instant end = time.instant().plusSeconds(60);
    int keys = 300;
    try (RocksStores stores = open(time)) {
      SingleUseStore<String> store = stores.singleUse("devices", new TextCodec());
      AtomicBoolean done = new AtomicBoolean();
      Race.of(
          2,
          i ->
              () -> {
                for (int key = 0; i == 0 && key < keys; key++) {
                  store.updateLater("device" + key, before -> "known", end);
                  store.replace("device" + key, "ended", end);
                }
                done.compareAndSet(false, i == 0);
                while (!done.get()) {
                  stores.writePostponed();
                }
                return i;
              });
      for (int key = 0; key < keys; key++) {
        assertThat(store.peek("device" + key)).contains("ended");
      }
    }
    SingleUseStore<String> store = open(time).singleUse("devices", new TextCodec());
    for (int key = 0; key < keys; key++) {
      assertThat(store.peek("device" + key)).contains("ended");
    }
  }

  @Nested
  class Durable extends DurableStoresContract {
    @Override
    Stores open() {
      close();
      return RocksStoresTest.this.open(time);
    }
  }

  @Test
  void saysThatTheDataAreOpenElsewhere() {
    open(InstantSource.system());
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> new RocksStores(data, InstantSource.system()))
        .withMessageContaining("has the data in")
        .withMessageContaining(data.toString());
  }

  /** As after a rollback to a version that does not know a newer format. */
  @Test
  void aSessionThatCannotBeReadIsNoneAndHidesNoOther() {
    Instant now = Instant.parse("2026-11-21T10:00:00Z");
    SessionStore<PlainSession> store = open(InstantSource.fixed(now)).sessions("app", new Older("later"));
    PlainSession later = session("later", now);
    PlainSession known = session("known", now);
    store.create(later);
    store.create(known);

    assertThat(store.find(later.id())).isEmpty();
    assertThat(store.update(later.id(), session -> session)).isEmpty();
    assertThat(store.page(known.realm(), "", 10)).containsExactly(known);
    assertThat(store.byPerson(known.realm(), known.person())).containsExactly(known);
    assertThat(store.end(later.id())).isEmpty();
    assertThat(store.count()).isEqualTo(1);
  }

  private static PlainSession session(String id, Instant now) {
    return new PlainSession(
        new SessionId(id), "demo", new PersonId("alice"), now, now.plus(Duration.ofHours(1)), Set.of(), 0);
  }

  private record Older(String unreadable) implements ValueCodec<PlainSession> {
    @Override
    public byte[] encode(PlainSession session) {
      return PlainSession.CODEC.encode(session);
    }

    @Override
    public PlainSession decode(byte[] bytes) {
      PlainSession session = PlainSession.CODEC.decode(bytes);
      if (session.id().value().equals(unreadable)) {
        throw new IllegalArgumentException("not of a version that this one knows");
      }
      return session;
    }
  }

  @Test
  void refusesCallsAfterItIsClosed() {
    RocksStores stores = open(InstantSource.system());
    SingleUseStore<String> store = stores.singleUse("codes", new TextCodec());
    stores.close();
    stores.close();
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> store.take("key"));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> stores.replayCache().firstSeen(new ReplayCache.ReplayKey("r", "i", "x"), Instant.now()));
  }

  /** A batch is filled in native memory that closing frees. */
  @Test
  void aCloseWaitsForABatchThatIsBeingFilled() throws InterruptedException {
    RocksEngine engine = RocksEngine.onDisk(data.resolve("rocksdb"), List.of());
    ColumnFamilyHandle family = engine.family("codes");
    Thread closing;
    try (RocksBatch batch = engine.batch()) {
      closing = Thread.ofVirtual().start(engine::close);
      assertThat(closing.join(Duration.ofMillis(300))).as("closed beside the batch").isFalse();
      batch.mark(family, new byte[] {1});
    }
    assertThat(closing.join(Duration.ofSeconds(60))).as("closed").isTrue();
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(engine::batch);
  }

  @Test
  void closesWhileOthersWrite() throws Exception {
    RocksStores stores = open(InstantSource.system());
    SingleUseStore<String> store = stores.singleUse("codes", new TextCodec());
    Instant later = Instant.now().plusSeconds(60);
    AtomicIntegerArray acknowledged = new AtomicIntegerArray(8);
    // Platform threads: virtual threads that never wait would leave no carrier thread to the one that closes.
    try (ExecutorService threads = Executors.newFixedThreadPool(acknowledged.length())) {
      for (int i = 0; i < acknowledged.length(); i++) {
        int writer = i;
        threads.execute(() -> putUntilClosed(store, writer, acknowledged, later));
      }
      Thread.sleep(50);
      stores.close();
    }
    SingleUseStore<String> again = open(InstantSource.system()).singleUse("codes", new TextCodec());
    for (int i = 0; i < acknowledged.length(); i++) {
      for (int put = 0; put < acknowledged.get(i); put++) {
        assertThat(again.peek(i + "-" + put)).contains("value");
      }
    }
  }

  private static void putUntilClosed(
      SingleUseStore<String> store, int writer, AtomicIntegerArray acknowledged, Instant later) {
    while (true) {
      try {
        store.put(writer + "-" + acknowledged.get(writer), "value", later);
        acknowledged.incrementAndGet(writer);
      } catch (StoreUnavailable closed) {
        return;
      }
    }
  }

  @Test
  void givesEachNameOutOnce() {
    RocksStores stores = open(InstantSource.system());
    assertThat(stores.singleUse("codes", new TextCodec())).isNotNull();
    assertThatIllegalStateException().isThrownBy(() -> stores.singleUse("codes", new TextCodec()));
  }

  @Test
  void sweepsEverythingThatExpired() {
    TestTime time = new TestTime();
    RocksStores stores = open(time);
    RocksSessionStore<PlainSession> sessions =
        (RocksSessionStore<PlainSession>) stores.sessions("app", PlainSession.CODEC);
    RocksSingleUseStore<String> codes = (RocksSingleUseStore<String>) stores.singleUse("codes", new TextCodec());
    RocksReplayCache marks = (RocksReplayCache) stores.replayCache();
    Instant now = time.instant();
    for (int i = 0; i < 1500; i++) {
      Instant end = now.plusSeconds(1 + i % 600);
      sessions.create(
          new PlainSession(new SessionId("s" + i), "demo", new PersonId("p" + i % 7), now, end, Set.of("k" + i), 0));
      codes.put("c" + i, "value", end);
      marks.firstSeen(new ReplayCache.ReplayKey("demo", "idp", "m" + i), end);
      if (i % 2 == 0) {
        codes.take("c" + i);
        sessions.update(new SessionId("s" + i), old -> old.until(now.plusSeconds(1000)));
      }
    }
    time.advance(Duration.ofSeconds(600));
    stores.sweep();
    assertThat(sessions.count()).isEqualTo(750);
    assertThat(sessions.page("demo", "", 2000)).hasSize(750);
    assertThat(keys(codes.records())).isZero();
    assertThat(keys(marks.records())).isZero();
    time.advance(Duration.ofSeconds(400));
    stores.sweep();
    assertThat(sessions.count()).isZero();
    assertThat(keys(sessions.records())).isZero();
  }

  @Test
  void sweepsWhatWasBornExpiredWithinAnHour() {
    TestTime time = new TestTime();
    RocksStores stores = open(time);
    RocksSingleUseStore<String> codes = (RocksSingleUseStore<String>) stores.singleUse("codes", new TextCodec());
    codes.put("a", "value", time.instant().plusSeconds(1));
    time.advance(Duration.ofSeconds(10));
    stores.sweep();
    codes.put("b", "value", time.instant().minusSeconds(60));
    assertThat(codes.take("b")).isEqualTo(new TakeResult.Absent<>());
    time.advance(Duration.ofHours(1));
    stores.sweep();
    assertThat(keys(codes.records())).isZero();
  }

  /** The sweeper knows when the next record is due: also of one that was not written through the replay cache. */
  @Test
  void sweepsMarksThatCameFromOtherStores() {
    TestTime time = new TestTime();
    RocksStores stores = open(time);
    RocksReplayCache marks = (RocksReplayCache) stores.replayCache();
    stores.sweep();
    stores.hotData().mark(Bytes.digest("mark"), time.instant().plusSeconds(60));
    time.advance(Duration.ofSeconds(60));
    stores.sweep();
    assertThat(keys(marks.records())).isZero();
  }

  @Test
  void isCompleteSinceTheNextStartWhereTheMachineWentDown() {
    Instant first = TestTime.START;
    Instant second = first.plusSeconds(100);
    try (RocksEngine engine = RocksEngine.onDisk(data.resolve("rocksdb"), List.of())) {
      Instant since = first.minusSeconds(60);
      assertThat(new RocksLife(engine, "boot-1").begin(first)).isEqualTo(since);
      // The process was killed, the machine stayed up: everything exists.
      assertThat(new RocksLife(engine, "boot-1").begin(second)).isEqualTo(since);
      // The machine went down.
      assertThat(new RocksLife(engine, "boot-2").begin(second)).isEqualTo(second);
      new RocksLife(engine, "boot-2").end();
      // Closed in order, then the machine went down.
      assertThat(new RocksLife(engine, "boot-3").begin(second.plusSeconds(9))).isEqualTo(second);
    }
  }

  /** Returns all keys of the column family, of every kind. */
  private static int keys(RocksRecords records) {
    int keys = 0;
    for (char kind : new char[] {'d', 'x', 'i'}) {
      byte[] prefix = {(byte) kind};
      keys += records.keys(prefix, prefix, Integer.MAX_VALUE).size();
    }
    return keys;
  }
}
