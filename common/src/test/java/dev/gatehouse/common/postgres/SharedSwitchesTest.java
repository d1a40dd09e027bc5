package dev.gatehouse.common.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.postgres.Announcements.Topic;
import dev.gatehouse.common.postgres.SharedSwitches.Kind;
import dev.gatehouse.common.snapshot.LocalSnapshot;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** What administrators switch at one of two nodes, through one real PostgreSQL. */
@Timeout(120)
class SharedSwitchesTest {

  private final SealingKey master = SealingKey.inMemory(new SecureRandom());
  @TempDir private Path folder;

  private LocalSnapshot snapshot(String node) {
    LocalSnapshot snapshot = new LocalSnapshot(folder.resolve(node), master, "gatehouse");
    snapshot.begin(1, new byte[] {1});
    return snapshot;
  }

  @Test
  void aSwitchOfOneNodeCountsAtTheOtherAndLastsOverAStartWithoutTheDatabase() throws Exception {
    try (Postgres server = Postgres.start();
        PostgresDatabase one = PostgresDatabase.open(server.config());
        PostgresDatabase two = PostgresDatabase.open(server.config());
        Announcements announced = new Announcements(two)) {
      SharedSwitches first = new SharedSwitches(one, snapshot("a"), false);
      SharedSwitches second = new SharedSwitches(two, snapshot("b"), false);
      announced.on(Topic.SWITCHES, second::refresh);
      AtomicReference<Map<String, String>> seen = new AtomicReference<>(Map.of("none", "yet"));
      second.listen(Kind.MAINTENANCE, seen::set);
      assertThat(seen.get()).isEmpty();

      first.set(Kind.MAINTENANCE, "demo shop", Optional.of("on"));
      first.set(Kind.DRAIN, "10.0.0.1:8080", Optional.of("on"));
      Eventually.holds(() -> seen.get().equals(Map.of("demo shop", "on")));
      first.set(Kind.MAINTENANCE, "demo shop", Optional.empty());
      Eventually.holds(() -> seen.get().isEmpty());

      server.kill();
      AtomicReference<Map<String, String>> drained = new AtomicReference<>(Map.of());
      new SharedSwitches(two, new LocalSnapshot(folder.resolve("b"), master, "gatehouse"), true).listen(Kind.DRAIN, drained::set);
      assertThat(drained.get()).containsOnlyKeys("10.0.0.1:8080");
      // What is not durable for all nodes is not done.
      assertThatThrownBy(() -> second.set(Kind.MAINTENANCE, "demo shop", Optional.of("on")))
          .isInstanceOfAny(DataAccessException.class, TransactionException.class);
      assertThat(seen.get()).isEmpty();
    }
  }
}
