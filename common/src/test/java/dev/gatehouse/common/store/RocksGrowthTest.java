package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disk space of ended records is freed. */
class RocksGrowthTest {

  private static final int SESSIONS = 60_000;
  private static final long BOUND = 2 << 20;

  @TempDir Path data;
  private final TestTime time = new TestTime();

  @Test
  void sessionsThatEndedTakeNoRoomAfterTheNextTidying() throws IOException {
    try (RocksStores stores = new RocksStores(data, time)) {
      SessionStore<PlainSession> sessions = stores.sessions("app", PlainSession.CODEC);
      SingleUseStore<String> seldom = stores.singleUse("seldom", new TextCodec());
      seldom.put("keeps the first log", "value", time.instant().plusSeconds(3600));
      for (int i = 0; i < SESSIONS; i++) {
        sessions.create(session(i));
      }
      for (int i = 0; i < SESSIONS; i++) {
        sessions.end(new SessionId("session" + i));
      }
      long before = bytes();
      assertThat(before).as("what there was to give back").isGreaterThan(4 * BOUND);
      stores.tidy();
      assertThat(bytes()).as("of %d", before).isLessThan(BOUND);
      assertThat(seldom.peek("keeps the first log")).contains("value");
    }
  }

  @Test
  void sessionsThatStandAreNotCompactedAgainAndAgain() throws IOException {
    try (RocksStores stores = new RocksStores(data, time)) {
      SessionStore<PlainSession> sessions = stores.sessions("app", PlainSession.CODEC);
      for (int i = 0; i < 1000; i++) {
        sessions.create(session(i));
      }
      stores.flush();
      Set<String> tables = tables();
      stores.tidy();
      assertThat(tables()).isEqualTo(tables);
      assertThat(sessions.count()).isEqualTo(1000);
    }
  }

  /** What an empty family takes of the memory for new records must leave room for records. */
  @Test
  void manyFamiliesDoNotMakeTablesOfFewRecords() throws IOException {
    try (RocksStores stores = new RocksStores(data, time)) {
      List<SingleUseStore<String>> families =
          IntStream.range(0, 80).mapToObj(i -> stores.singleUse("family" + i, new TextCodec())).toList();
      Set<String> tables = tables();
      for (int i = 0; i < 2000; i++) {
        families.get(i % families.size()).put("key" + i, "value", time.instant().plusSeconds(3600));
      }
      assertThat(tables()).isEqualTo(tables);
    }
  }

  private PlainSession session(int i) {
    return new PlainSession(
        new SessionId("session" + i),
        "demo",
        new PersonId("person" + i % 100),
        time.instant(),
        time.instant().plusSeconds(3600),
        Set.of("index of a participant of session " + i, "another of " + i),
        0);
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("rocksdb"))) {
      return files
          .filter(file -> file.toString().matches(".*\\.(sst|log)"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private Set<String> tables() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("rocksdb"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".sst"))
          .collect(java.util.stream.Collectors.toSet());
    }
  }
}
