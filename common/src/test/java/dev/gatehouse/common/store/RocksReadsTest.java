package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers need not read from RocksDB. */
@Timeout(120)
class RocksReadsTest {

  private static final PersonId ALICE = new PersonId("alice-uuid");

  private final TestTime time = new TestTime();
  private final FaultyEngine engine = new FaultyEngine();

  @AfterEach
  void close() {
    engine.close();
  }

  private RocksSessionStore<PlainSession> sessions(String name) {
    return new RocksSessionStore<>(engine, name, time, PlainSession.CODEC, Expired.FORGOTTEN);
  }

  private PlainSession session(String id) {
    return new PlainSession(new SessionId(id), "demo", ALICE, time.instant(), time.instant().plusSeconds(600), Set.of("a"), 0);
  }

  @Test
  void aStoreWithoutSessionsIsNotAsked() {
    RocksSessionStore<PlainSession> sessions = sessions("app");
    PlainSession session = session("one");
    sessions.create(session);
    sessions.end(session.id());
    int reads = engine.reads();
    int iterators = engine.iterators();
    assertThat(sessions.find(session.id())).isEmpty();
    assertThat(sessions.update(session.id(), PlainSession::touched)).isEmpty();
    assertThat(sessions.end(session.id())).isEmpty();
    assertThat(sessions.byPerson("demo", ALICE)).isEmpty();
    assertThat(sessions.byIndex("a")).isEmpty();
    assertThat(sessions.page("demo", "", 10)).isEmpty();
    assertThat(engine.reads()).isEqualTo(reads);
    assertThat(engine.iterators()).isEqualTo(iterators);
  }

  @Test
  void oneWithSessionsOfAnEarlierProcessIsAsked() {
    PlainSession session = session("one");
    sessions("app").create(session);
    RocksSessionStore<PlainSession> opened = sessions("app");
    assertThat(opened.byIndex("a")).containsExactly(session);
    assertThat(opened.find(session.id())).contains(session);
    assertThat(opened.end(session.id())).contains(session);
  }

  private static int keys(RocksSessionStore<PlainSession> sessions) {
    int keys = 0;
    for (char kind : new char[] {'d', 'x', 'i'}) {
      byte[] prefix = {(byte) kind};
      keys += sessions.records().keys(prefix, prefix, Integer.MAX_VALUE).size();
    }
    return keys;
  }

  @Test
  void whatWasJustWrittenIsNotRead() {
    RocksSessionStore<PlainSession> sessions = sessions("app");
    PlainSession session = session("one");
    sessions.create(session);
    int reads = engine.reads();
    assertThat(sessions.find(session.id())).contains(session);
    PlainSession changed = session.touched().indexed("b");
    assertThat(sessions.update(session.id(), old -> changed)).contains(changed);
    assertThat(sessions.byIndex("b")).containsExactly(changed);
    assertThat(sessions.end(session.id())).contains(changed);
    assertThat(engine.reads()).isEqualTo(reads);
    assertThat(keys(sessions)).isZero();
  }

  /** A change that took the former place in the index of time for the present one would leave a record that nobody removes. */
  @Test
  void aSessionThatTheSweeperHasMovedIsSweptInItsTime() {
    RocksSessionStore<PlainSession> sessions = sessions("app");
    PlainSession session = session("one");
    sessions.create(session);
    Instant end = session.expiresAt().plusSeconds(600);
    sessions.update(session.id(), old -> old.until(end));
    assertThat(sessions.find(session.id())).isPresent();
    time.advance(Duration.ofSeconds(600));
    assertThat(sessions.sweep().sweep(10)).isEqualTo(1);
    assertThat(sessions.update(session.id(), PlainSession::touched)).isPresent();
    time.advance(Duration.ofSeconds(600));
    assertThat(sessions.sweep().sweep(10)).isEqualTo(1);
    assertThat(keys(sessions)).isZero();
    assertThat(sessions.count()).isZero();
  }

  /** A clock that is set back makes live again what memory has, and RocksDB has not. */
  @Test
  void aSessionThatTheSweeperHasRemovedIsNotKnown() {
    RocksSessionStore<PlainSession> sessions = sessions("app");
    PlainSession session = session("one");
    sessions.create(session);
    sessions.create(session("two").until(session.expiresAt().plusSeconds(600)));
    assertThat(sessions.find(session.id())).contains(session);
    time.advance(Duration.ofSeconds(600));
    assertThat(sessions.sweep().sweep(10)).isEqualTo(1);
    time.advance(Duration.ofSeconds(-600));
    assertThat(sessions.find(session.id())).isEmpty();
    assertThat(sessions.update(session.id(), PlainSession::touched)).isEmpty();
    assertThat(sessions.end(session.id())).isEmpty();
  }

  @Test
  void aFailedWriteChangesNothingThatIsKnown() {
    RocksSessionStore<PlainSession> sessions = sessions("app");
    PlainSession session = session("one");
    sessions.create(session);
    assertThat(sessions.find(session.id())).contains(session);
    engine.failAfter(0);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> sessions.update(session.id(), PlainSession::touched));
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> sessions.end(session.id()));
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> sessions.create(session("two")));
    engine.failAfter(Integer.MAX_VALUE);
    assertThat(sessions.find(new SessionId("two"))).isEmpty();
    assertThat(sessions.find(session.id())).contains(session);
    assertThat(sessions.end(session.id())).contains(session);
    assertThat(keys(sessions)).isZero();
  }

  @Test
  void whatFitsIsTakenByOneRead() {
    RocksSingleUseStore<String> codes = new RocksSingleUseStore<>(engine, "codes", time, new TextCodec());
    codes.put("code", "value", time.instant().plusSeconds(60));
    int reads = engine.reads();
    assertThat(codes.take("code", "value"::equals)).isEqualTo(new TakeResult.First<>("value"));
    assertThat(engine.reads()).isEqualTo(reads + 1);
  }

  /** A login writes its session and looks for a logout, a logout writes its mark and looks for sessions: one of them finds the other. */
  @Test
  void ofTwoThatWriteAndThenLookForTheOtherOneFindsIt() throws Exception {
    List<RocksSessionStore<PlainSession>> stores = List.of(sessions("app"), sessions("marks"));
    for (int round = 0; round < 2000; round++) {
      PlainSession session = session("round" + round);
      List<Boolean> found =
          Race.of(
              2,
              i -> () -> {
                stores.get(i).create(session);
                return i == 0 ? stores.get(1).find(session.id()).isPresent() : !stores.get(0).byIndex("a").isEmpty();
              });
      assertThat(found).as("round %d", round).contains(true);
      stores.forEach(store -> store.end(session.id()));
    }
  }
}
