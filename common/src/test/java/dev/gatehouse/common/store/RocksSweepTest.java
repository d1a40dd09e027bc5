package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sweeper writes many records together, beside callers that change the same records, and where writes fail. */
@Timeout(120)
class RocksSweepTest {

  private static final int MANY = 300;
  private static final int LIMIT = 512;

  private final TestTime time = new TestTime();
  private final FaultyEngine engine = new FaultyEngine();

  @AfterEach
  void close() {
    engine.close();
  }

  private Instant in(int seconds) {
    return time.instant().plusSeconds(seconds);
  }

  private RocksSingleUseStore<String> codes() {
    return new RocksSingleUseStore<>(engine, "codes", time, new TextCodec());
  }

  private RocksSessionStore<PlainSession> sessions(Expired afterwards) {
    return new RocksSessionStore<>(engine, "app", time, PlainSession.CODEC, afterwards);
  }

  private static SessionId id(int number) {
    return new SessionId("session" + number);
  }

  /** Creates sessions that have five keys each: the record, its time, its realm, its person and one of its own. */
  private void create(RocksSessionStore<PlainSession> sessions, Instant end) {
    for (int i = 0; i < MANY; i++) {
      sessions.create(new PlainSession(id(i), "demo", new PersonId("p" + i), time.instant(), end, Set.of("k" + i), 0));
    }
  }

  private static int keys(RocksRecords records, char kind) {
    byte[] prefix = {(byte) kind};
    return records.keys(prefix, prefix, Integer.MAX_VALUE).size();
  }

  private static int keys(RocksRecords records) {
    return keys(records, 'd') + keys(records, 'x') + keys(records, 'i');
  }

  @Test
  void oneWriteRemovesMany() {
    RocksSingleUseStore<String> codes = codes();
    for (int i = 0; i < MANY; i++) {
      codes.put("code" + i, "value", in(60));
    }
    time.advance(Duration.ofSeconds(60));
    int before = engine.writes();
    assertThat(codes.sweep().sweep(LIMIT)).isEqualTo(MANY);
    assertThat(engine.writes() - before).as("writes, of which each may be short on a busy machine").isLessThan(MANY / 2);
    assertThat(keys(codes.records())).isZero();
  }

  @Test
  void opensNoIteratorWhereNothingIsDue() {
    RocksSingleUseStore<String> codes = codes();
    codes.put("a", "value", in(60));
    assertThat(codes.sweep().sweep(LIMIT)).isZero();
    int before = engine.iterators();
    for (int i = 0; i < 10; i++) {
      time.advance(Duration.ofSeconds(1));
      assertThat(codes.sweep().sweep(LIMIT)).isZero();
    }
    assertThat(engine.iterators()).isEqualTo(before);
    codes.put("earlier", "value", in(5));
    time.advance(Duration.ofSeconds(5));
    assertThat(codes.sweep().sweep(LIMIT)).isEqualTo(1);
    time.advance(Duration.ofSeconds(45));
    assertThat(codes.sweep().sweep(LIMIT)).isEqualTo(1);
    assertThat(keys(codes.records())).isZero();
  }

  /** A clock that is set right again: the next records are due before the position that the sweeper has reached. */
  @Test
  void aClockThatIsSetBackHidesNoRecord() {
    RocksSingleUseStore<String> codes = codes();
    codes.put("a", "value", in(86_400));
    time.advance(Duration.ofDays(365));
    assertThat(codes.sweep().sweep(LIMIT)).isEqualTo(1);
    time.advance(Duration.ofDays(-365));
    codes.put("b", "value", in(60));
    assertThat(codes.sweep().sweep(LIMIT)).isZero();
    time.advance(Duration.ofSeconds(60));
    assertThat(codes.sweep().sweep(LIMIT)).isEqualTo(1);
    assertThat(keys(codes.records())).isZero();
  }

  /** Neither a kept session: its end would be announced only when the clock is as late again. */
  @Test
  void aClockThatIsSetBackHidesNoKeptSession() {
    RocksSessionStore<PlainSession> sessions = sessions(Expired.KEPT);
    create(sessions, in(86_400));
    time.advance(Duration.ofDays(365));
    sessions.expired(LIMIT).forEach(expired -> sessions.endExpired(expired.id()));
    assertThat(sessions.expired(LIMIT)).isEmpty();
    time.advance(Duration.ofDays(-365));
    create(sessions, in(60));
    time.advance(Duration.ofSeconds(60));
    assertThat(sessions.expired(LIMIT)).hasSize(MANY);
  }

  @Test
  void asksForKeptSessionsOnlyWhenOneMayHaveExpired() {
    RocksSessionStore<PlainSession> sessions = sessions(Expired.KEPT);
    create(sessions, in(60));
    assertThat(sessions.expired(LIMIT)).isEmpty();
    int before = engine.iterators();
    time.advance(Duration.ofSeconds(59));
    assertThat(sessions.expired(LIMIT)).isEmpty();
    assertThat(engine.iterators()).isEqualTo(before);
    time.advance(Duration.ofSeconds(1));
    assertThat(sessions.expired(LIMIT)).hasSize(MANY);
    assertThat(sessions.expired(LIMIT)).as("nobody ended them").hasSize(MANY);
  }

  /** What is written while the sweeper reads the index is swept in its time, and not by the full sweep an hour later. */
  @Test
  void overlooksNothingThatIsWrittenWhileItLooks() throws Exception {
    RocksSingleUseStore<String> codes = codes();
    for (int round = 0; round < 1000; round++) {
      String name = "round" + round;
      codes.put(name + " is looked for", "value", time.instant().plusMillis(1));
      time.advance(Duration.ofMillis(1));
      Race.of(
          2,
          i -> () -> {
            if (i == 0) {
              codes.sweep().sweep(LIMIT);
            } else {
              codes.put(name + " comes meanwhile", "value", time.instant().plusMillis(5));
            }
            return i;
          });
      time.advance(Duration.ofMillis(5));
      codes.sweep().sweep(LIMIT);
      assertThat(keys(codes.records())).as(name).isZero();
    }
  }

  @Test
  void removesNothingThatWasPutAnewMeanwhile() throws Exception {
    RocksSingleUseStore<String> codes = codes();
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < MANY; i++) {
        codes.put("code" + i, "old", in(1));
      }
      time.advance(Duration.ofSeconds(2));
      Race.of(
          4,
          runner -> () -> {
            if (runner == 0) {
              codes.sweep().sweep(LIMIT);
            }
            for (int i = runner - 1; runner > 0 && i < MANY; i += 3) {
              codes.put("code" + i, "new", in(60));
            }
            return runner;
          });
      for (int i = 0; i < MANY; i++) {
        assertThat(codes.take("code" + i)).isEqualTo(new TakeResult.First<>("new"));
        assertThat(codes.take("code" + i)).isInstanceOf(TakeResult.Replayed.class);
      }
      time.advance(Duration.ofSeconds(60));
    }
    codes.sweep().sweep(LIMIT);
    assertThat(keys(codes.records())).isZero();
  }

  @ParameterizedTest
  @EnumSource(Expired.class)
  void losesNoUpdateOfWhatItMoves(Expired afterwards) throws Exception {
    RocksSessionStore<PlainSession> sessions = sessions(afterwards);
    create(sessions, in(60));
    for (int round = 1; round <= 10; round++) {
      Instant end = in(120);
      for (int i = 0; i < MANY; i++) {
        sessions.update(id(i), old -> old.until(end));
      }
      time.advance(Duration.ofSeconds(119));
      Race.of(
          4,
          runner -> () -> {
            if (runner == 0) {
              look(sessions, afterwards);
            }
            for (int i = 0; runner > 0 && i < MANY; i++) {
              sessions.update(id(i), PlainSession::touched);
            }
            return runner;
          });
      for (int i = 0; i < MANY; i++) {
        assertThat(sessions.find(id(i))).map(PlainSession::touches).contains(3 * round);
      }
    }
    assertThat(sessions.count()).isEqualTo(MANY);
    assertThat(keys(sessions.records())).isEqualTo(5 * MANY);
  }

  private static void look(RocksSessionStore<PlainSession> sessions, Expired afterwards) {
    switch (afterwards) {
      case FORGOTTEN -> sessions.sweep().sweep(LIMIT);
      case KEPT -> assertThat(sessions.expired(LIMIT)).isEmpty();
    }
  }

  /** The writer of postponed changes holds the locks of many keys, and waits for more. */
  @Test
  void doesNotDeadlockWithWhoeverHoldsManyLocks() throws Exception {
    RocksSingleUseStore<String> codes = codes();
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < MANY; i++) {
        codes.put("code" + i, "old", in(1));
      }
      time.advance(Duration.ofSeconds(2));
      for (int i = 0; i < MANY; i++) {
        codes.updateLater("code" + i, before -> before.orElse("nothing"), in(60));
      }
      Race.of(
          2,
          runner -> () -> {
            if (runner == 0) {
              codes.writePostponed();
            } else {
              codes.sweep().sweep(LIMIT);
            }
            return runner;
          });
      for (int i = 0; i < MANY; i++) {
        assertThat(codes.peek("code" + i)).contains("nothing");
      }
      time.advance(Duration.ofSeconds(60));
    }
  }

  @Test
  void whatIsLockedIsRemovedAloneAndHoldsUpNobodyElse() throws Exception {
    RocksRecords records = new RocksRecords(engine, "test", time);
    AtomicInteger removed = new AtomicInteger();
    RocksSweep sweep = new RocksSweep(records, Expired.FORGOTTEN, new Counted(removed, Optional.empty()));
    put(records, 60);
    time.advance(Duration.ofSeconds(60));
    Lock locked = records.lock(key(7));
    Thread sweeper;
    locked.lock();
    try {
      sweeper = Thread.ofPlatform().start(() -> sweep.sweep(LIMIT));
      while (sweeper.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
      assertThat(records.read(key(7))).isPresent();
      for (int i = 0; i < 60; i++) {
        Lock lock = records.lock(key(i));
        assertThat(lock.tryLock()).as("the sweeper waits, and holds the lock of no record, like that of %d", i).isTrue();
        lock.unlock();
      }
    } finally {
      locked.unlock();
    }
    sweeper.join();
    assertThat(keys(records)).isZero();
    assertThat(removed).hasValue(60);
  }

  @Test
  void aFailedWriteLeavesAllAsItWas() {
    RocksSessionStore<PlainSession> sessions = sessions(Expired.FORGOTTEN);
    create(sessions, in(60));
    time.advance(Duration.ofSeconds(60));
    engine.failAfter(1);
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> sessions.sweep().sweep(LIMIT));
    int left = keys(sessions.records(), 'd');
    for (int again = 0; again < 2; again++) {
      assertThat(left).as("some were removed by the first write").isBetween(1, MANY - 1);
      assertThat(keys(sessions.records())).isEqualTo(5 * left);
      assertThat(sessions.count()).isEqualTo(left);
      assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> sessions.sweep().sweep(LIMIT));
    }
    engine.failAfter(Integer.MAX_VALUE);
    assertThat(sessions.sweep().sweep(LIMIT)).as("it goes on with the first that is left").isEqualTo(left);
    assertThat(keys(sessions.records())).isZero();
    assertThat(sessions.count()).isZero();
  }

  @Test
  void aFailedMoveLosesNoKeptSession() {
    RocksSessionStore<PlainSession> sessions = sessions(Expired.KEPT);
    create(sessions, in(60));
    Instant end = in(120);
    for (int i = 0; i < MANY; i += 2) {
      sessions.update(id(i), old -> old.until(end));
    }
    time.advance(Duration.ofSeconds(60));
    engine.failAfter(1);
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> sessions.expired(LIMIT));
    engine.failAfter(Integer.MAX_VALUE);
    assertThat(sessions.expired(LIMIT)).hasSize(MANY / 2);
    time.advance(Duration.ofSeconds(60));
    assertThat(sessions.expired(LIMIT)).hasSize(MANY);
  }

  @Test
  void damagedRecordsAmongManyStayWholeAndAreLookedAtOnceAnHour() {
    RocksRecords records = new RocksRecords(engine, "test", time);
    AtomicInteger removed = new AtomicInteger();
    RocksSweep sweep = new RocksSweep(records, Expired.FORGOTTEN, new Counted(removed, Optional.of(key(7))));
    put(records, MANY);
    byte[] tooShort = {1, 2, 3};
    try (RocksBatch batch = engine.batch()) {
      batch.put(engine.family("test"), Bytes.prefixed('d', key(50)), tooShort);
      batch.commit(false);
    }
    time.advance(Duration.ofSeconds(60));
    assertThat(sweep.sweep(LIMIT)).isEqualTo(MANY);
    assertThat(removed).hasValue(MANY - 2);
    assertThat(keys(records, 'd')).isEqualTo(2);
    assertThat(keys(records, 'x')).isEqualTo(2);
    assertThat(records.read(key(7))).isPresent();
    put(records, MANY + 1);
    time.advance(Duration.ofSeconds(60));
    assertThat(sweep.sweep(LIMIT)).as("without the damaged ones").isEqualTo(MANY + 1 - 2);
    time.advance(Duration.ofHours(1));
    assertThat(sweep.sweep(LIMIT)).isEqualTo(2);
    assertThat(removed).hasValue(2 * MANY - 3);
  }

  private static byte[] key(int number) {
    return Bytes.digest("key" + number);
  }

  /** Puts records that do not exist. */
  private void put(RocksRecords records, int number) {
    for (int i = 0; i < number; i++) {
      if (isFree(key(i))) {
        try (RocksRecords.Change change = records.change()) {
          change.put(key(i), Optional.empty(), in(60), new byte[] {0});
          change.commit();
        }
      }
    }
  }

  private boolean isFree(byte[] key) {
    return engine.get(engine.family("test"), Bytes.prefixed('d', key)).isEmpty();
  }

  /** Counts what was removed. @param damaged the key of a record whose further keys cannot be found */
  private record Counted(AtomicInteger count, Optional<byte[]> damaged) implements RocksSweep.OnExpiry {
    @Override
    public List<byte[]> keysOf(byte[] key, byte[] body) {
      if (damaged.filter(one -> Arrays.equals(one, key)).isPresent()) {
        throw new IllegalStateException("of the test");
      }
      return List.of();
    }

    @Override
    public void changed(byte[] key) {
      // Nobody remembers it.
    }

    @Override
    public void removed(int records) {
      count.addAndGet(records);
    }
  }
}
