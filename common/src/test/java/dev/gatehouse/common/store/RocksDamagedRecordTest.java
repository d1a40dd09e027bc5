package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;

/** One record of an open store that is too short to be read: the others are written, synced and swept as if it were not there. */
class RocksDamagedRecordTest {

  private static final byte[] DAMAGED = {1, 2, 3};

  @TempDir Path data;
  private final TestTime time = new TestTime();
  private final Instant end = time.instant().plusSeconds(60);

  private RocksStores open() {
    return new RocksStores(data, time);
  }

  private void damage(String family, byte[] key) {
    try (RocksEngine engine = RocksEngine.onDisk(data.resolve("rocksdb"), List.of());
        RocksBatch batch = engine.batch()) {
      ColumnFamilyHandle handle = engine.family(family);
      byte[] at = Bytes.prefixed('d', key);
      assertThat(engine.get(handle, at)).as("the record to be damaged").isPresent();
      batch.put(handle, at, DAMAGED);
      batch.commit(true);
    }
  }

  private void putAndDamage(String... keys) {
    try (RocksStores stores = open()) {
      SingleUseStore<String> store = stores.singleUse("devices", new TextCodec());
      for (String key : keys) {
        store.put(key, "former", end);
      }
    }
    damage("single-use.devices", Bytes.digest("damaged"));
  }

  @Test
  void onlyItsCallerGetsAnErrorAndEveryOtherChangeThatWasPutOffIsWritten() {
    putAndDamage("damaged");
    try (RocksStores stores = open()) {
      SingleUseStore<String> store = stores.singleUse("devices", new TextCodec());
      store.updateLater("before", old -> "value", end);
      store.updateLater("damaged", old -> "value", end);
      store.updateLater("behind", old -> "value", end);
      stores.writePostponed();
      assertThatException().isThrownBy(() -> store.take("damaged"));
    }
    try (RocksStores stores = open()) {
      SingleUseStore<String> store = stores.singleUse("devices", new TextCodec());
      assertThat(store.peek("before")).contains("value");
      assertThat(store.peek("behind")).contains("value");
      assertThatException().as("a taken value is not given out again").isThrownBy(() -> store.take("damaged"));
    }
  }

  @Test
  void aChangeOfItThatWasPutOffDoesNotKeepTheLogFromTheDisk() throws Exception {
    putAndDamage("damaged");
    try (RocksStores stores = open()) {
      stores.singleUse("devices", new TextCodec()).updateLater("damaged", old -> "value", end);
      CountDownLatch synced = new CountDownLatch(2);
      stores.onSynced(position -> synced.countDown());
      assertThat(synced.await(60, TimeUnit.SECONDS)).as("synced again and again").isTrue();
    }
  }

  @Test
  void theSweepGoesOnBehindIt() {
    putAndDamage("damaged", "a", "b", "c", "d");
    time.advance(Duration.ofSeconds(61));
    try (RocksStores stores = open()) {
      RocksSingleUseStore<String> store = (RocksSingleUseStore<String>) stores.singleUse("devices", new TextCodec());
      stores.sweep();
      assertThat(store.records().count()).as("left: the damaged one").isEqualTo(1);
    }
  }

  /** Sessions whose end is announced are not swept, but asked for. */
  @Test
  void expiredSessionsBehindItAreFound() {
    try (RocksStores stores = open()) {
      SessionStore<PlainSession> store = stores.sessions("app", PlainSession.CODEC, Expired.KEPT);
      store.create(session("damaged"));
      store.create(session("other"));
    }
    damage("sessions.app", Bytes.utf8("damaged"));
    time.advance(Duration.ofSeconds(61));
    try (RocksStores stores = open()) {
      SessionStore<PlainSession> store = stores.sessions("app", PlainSession.CODEC, Expired.KEPT);
      assertThat(store.expired(10)).extracting(PlainSession::id).containsExactly(new SessionId("other"));
    }
  }

  private PlainSession session(String id) {
    return new PlainSession(new SessionId(id), "demo", new PersonId("alice"), time.instant(), end, Set.of(), 0);
  }
}
