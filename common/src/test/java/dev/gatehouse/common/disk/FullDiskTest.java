package dev.gatehouse.common.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.node.SpaceConfig;
import dev.gatehouse.common.space.GuardedStores;
import dev.gatehouse.common.space.SpaceState;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Behaviour of the stores and the audit log on a full disk, and after there is space again. Needs root. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FullDiskTest {

  private static final Instant LATER = Instant.now().plus(Duration.ofDays(1));

  @TempDir Path folder;

  @Test
  void theDatabaseOpensAgainByItselfAndHasWhatWasAcknowledged() throws Exception {
    try (SmallDisk disk = new SmallDisk(folder.resolve("disk"), "16m");
        Database database = Database.embedded(disk.directory())) {
      JdbcClient jdbc = JdbcClient.create(database.dataSource());
      jdbc.sql("create table fact (id int primary key, text varchar)").update();
      disk.fill();
      List<Integer> acknowledged = new ArrayList<>();
      while (inserted(jdbc, acknowledged)) {
        assertThat(acknowledged).hasSizeLessThan(100_000);
      }
      Eventually.holds(() -> database.problem().isPresent());
      disk.free();
      Eventually.holds(() -> database.problem().isEmpty());
      assertThat(inserted(jdbc, acknowledged)).isTrue();
      assertThat(jdbc.sql("select id from fact order by id").query(Integer.class).list()).containsAll(acknowledged);
    }
  }

  private static boolean inserted(JdbcClient jdbc, List<Integer> acknowledged) {
    int id = acknowledged.size();
    try {
      jdbc.sql("merge into fact key (id) values (?, ?)").params(id, "x".repeat(5000)).update();
      acknowledged.add(id);
      return true;
    } catch (DataAccessException full) {
      return false;
    }
  }

  @Test
  void theStoresGoOnByThemselvesAndHaveWhatWasAcknowledged() throws Exception {
    try (SmallDisk disk = new SmallDisk(folder.resolve("disk"), "16m");
        RocksStores stores = new RocksStores(disk.directory(), InstantSource.system())) {
      SingleUseStore<String> store = stores.singleUse("facts", new JsonCodec<>(String.class));
      disk.fill();
      List<String> acknowledged = new ArrayList<>();
      while (put(store, acknowledged)) {
        assertThat(acknowledged).hasSizeLessThan(1_000_000);
      }
      assertThat(stores.problem()).isPresent();
      disk.free();
      // Nobody writes meanwhile: the stores notice by themselves.
      Eventually.holds(() -> stores.problem().isEmpty());
      assertThat(put(store, acknowledged)).isTrue();
      assertThat(acknowledged).allSatisfy(key -> assertThat(store.take(key)).isInstanceOf(TakeResult.First.class));
    }
  }

  private static boolean put(SingleUseStore<String> store, List<String> acknowledged) {
    String key = "fact " + acknowledged.size();
    try {
      store.put(key, "x".repeat(500), LATER);
      acknowledged.add(key);
      return true;
    } catch (StoreUnavailable full) {
      return false;
    }
  }

  @Test
  void theAuditLogSaysThatItIsFullAndGoesOn() throws Exception {
    try (SmallDisk disk = new SmallDisk(folder.resolve("disk"), "2m");
        JsonLinesAuditLog audit =
            new JsonLinesAuditLog(disk.directory(), 1 << 30, Duration.ofDays(1), InstantSource.system())) {
      audit.record(event(0));
      disk.fill();
      assertThatExceptionOfType(AuditUnavailable.class).isThrownBy(() -> {
        for (int i = 1; i < 1000; i++) {
          audit.record(event(i));
        }
      });
      assertThat(audit.problem()).isPresent();
      disk.free();
      assertThat(audit.problem()).isEmpty();
      audit.record(event(2));
      assertThat(Files.readAllLines(disk.directory().resolve("audit.jsonl"))).allSatisfy(line -> assertThat(line).startsWith("{").endsWith("}"));
    }
  }

  private static AuditEvent event(int i) {
    return new AuditEvent.Administered(AuditEvent.Context.node(), "ops", "test", Map.of("number", String.valueOf(i)));
  }

  @Test
  void theReserveIsGivenFreeSoThatRevocationsAreWrittenAndMadeAgain() throws Exception {
    SpaceConfig config = new SpaceConfig(8 << 20, 4 << 20, 1 << 20);
    try (SmallDisk disk = new SmallDisk(folder.resolve("disk"), "40m");
        RocksStores rocks = new RocksStores(disk.directory(), InstantSource.system());
        SpaceWatch space = new SpaceWatch(Map.of("data", disk.directory()), config)) {
      Stores stores = new GuardedStores(rocks, space::isLow);
      SingleUseStore<String> sessions = stores.singleUse("new", new JsonCodec<>(String.class));
      SingleUseStore<String> revocations = stores.ends().singleUse("ends", new JsonCodec<>(String.class));
      sessions.put("early", "x", LATER);
      Path reserve = disk.directory().resolve(".space-reserve");
      Eventually.holds(() -> Files.exists(reserve));
      assertThat(Files.size(reserve)).isEqualTo(1 << 20);

      disk.fill();
      Eventually.holds(() -> state(space) == SpaceState.LOW && Files.notExists(reserve));
      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(() -> sessions.put("late", "x", LATER))
          .matches(StoreUnavailable::isLowOnSpace);
      revocations.put("token", "revoked", LATER);
      assertThat(sessions.take("early")).isInstanceOf(TakeResult.First.class);

      disk.free();
      Eventually.holds(() -> state(space) == SpaceState.PLENTY && Files.exists(reserve));
      sessions.put("late", "x", LATER);
    }
  }

  /** The watch looks once a second; a revocation that comes before that must not fail. */
  @Test
  void theAuditLogReleasesTheReserveAtItsFirstFailure() throws Exception {
    SpaceConfig config = new SpaceConfig(4 << 20, 2 << 20, 1 << 20);
    try (SmallDisk disk = new SmallDisk(folder.resolve("disk"), "16m");
        JsonLinesAuditLog audit =
            new JsonLinesAuditLog(disk.directory(), 1 << 30, Duration.ofDays(1), InstantSource.system());
        SpaceWatch space = new SpaceWatch(Map.of("audit", disk.directory()), config)) {
      audit.relievedBy(space::relieve);
      Path reserve = disk.directory().resolve(".space-reserve");
      Eventually.holds(() -> Files.exists(reserve));
      disk.fill();
      for (int i = 0; i < 200; i++) {
        audit.record(event(i));
      }
      assertThat(reserve).doesNotExist();
      assertThat(space.isLow()).isTrue();
      assertThat(Files.readAllLines(disk.directory().resolve("audit.jsonl"))).hasSize(200);
    }
  }

  /** The line was written when the record of the log's end failed: it must not be written again. */
  @Test
  void aFullKeyFolderDoesNotRepeatALine() throws Exception {
    Path lines = folder.resolve("audit");
    try (SmallDisk keys = new SmallDisk(folder.resolve("disk"), "16m");
        JsonLinesAuditLog audit =
            new JsonLinesAuditLog(
                lines, Optional.of(keys.directory().resolve("audit.head")), 1 << 30, Duration.ofDays(1), InstantSource.system())) {
      audit.relievedBy(
          () -> {
            assertThatNoException().isThrownBy(keys::free);
            return true;
          });
      keys.fill();
      audit.record(event(0));
      assertThat(Files.readAllLines(lines.resolve("audit.jsonl"))).hasSize(1);
    }
  }

  @Test
  void aDiskThatFillsUpIsSaidBeforeItIsFull() throws Exception {
    SpaceConfig config = new SpaceConfig(3 << 20, 1 << 20, 1 << 16);
    try (SmallDisk disk = new SmallDisk(folder.resolve("disk"), "16m");
        SpaceWatch space = new SpaceWatch(Map.of("audit", disk.directory()), config)) {
      assertThat(state(space)).isEqualTo(SpaceState.PLENTY);
      Files.write(disk.directory().resolve("filler-1"), new byte[14 << 20]);
      Eventually.holds(() -> state(space) == SpaceState.SCARCE);
      assertThat(space.isLow()).isFalse();
      disk.free();
      Eventually.holds(() -> state(space) == SpaceState.PLENTY);
    }
  }

  @Test
  void aReadOnlyDiskIsSaidAndItsEndToo() throws Exception {
    try (SmallDisk disk = new SmallDisk(folder.resolve("disk"), "16m");
        SpaceWatch space = new SpaceWatch(Map.of("data", disk.directory()), SpaceConfig.USUAL)) {
      disk.readOnly(true);
      Eventually.holds(() -> state(space) == SpaceState.UNWRITABLE);
      assertThat(space.disks().getFirst().problem().orElse("")).contains("read-only");
      disk.readOnly(false);
      Eventually.holds(() -> state(space) == SpaceState.PLENTY);
    }
  }

  private static SpaceState state(SpaceWatch space) {
    return space.disks().getFirst().state();
  }
}
