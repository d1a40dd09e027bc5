package dev.gatehouse.common.otp.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which copy is too old, and which record replaces a primary. */
class HeartbeatTest {

  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

  @Test
  void aCopyIsComparedWithAPrimaryThatAnswersAndOtherwiseWithTheTime() {
    Optional<Instant> copied = Optional.of(NOW.minusSeconds(40));
    assertThat(Heartbeat.problem(copied, Optional.of(NOW), NOW)).hasValueSatisfying(why -> assertThat(why).contains("40 s behind", "otp push --replace"));
    assertThat(Heartbeat.problem(copied, Optional.of(NOW.minusSeconds(20)), NOW)).isEmpty();
    assertThat(Heartbeat.problem(copied, Optional.of(NOW.minusSeconds(60)), NOW)).as("a primary without nodes").isEmpty();
    assertThat(Heartbeat.problem(copied, Optional.empty(), NOW)).as("away").isEmpty();
    assertThat(Heartbeat.problem(copied, Optional.empty(), NOW.plus(Duration.ofDays(3))))
        .hasValueSatisfying(why -> assertThat(why).contains("more than 3 days", "otp nominate"));
    assertThat(Heartbeat.problem(Optional.empty(), Optional.of(NOW), NOW)).isPresent();
  }

  @Test
  void aReplicaWithWhatIsLeftOfSomebodyIsUpdated() throws Exception {
    String orphan = "select count(*) from otp_person where person_id = 'carol'";
    String update = Files.readString(Path.of("src/main/resources/db/migration/V32__orphans.sql"));
    try (Postgres server = Postgres.start()) {
      try (PostgresDatabase former = PostgresDatabase.open(server.config())) {
        server.execute(
            "insert into otp_person values ('demo', 'carol', null, false, 2, null)",
            "insert into otp_emergency values ('demo', 'carol', 'x', false, now())",
            "insert into recovery_code values ('demo', 'carol', 'digest')");
        Replication replication = new Replication(former);
        replication.guard();
        server.execute(update);
        JdbcClient jdbc = JdbcClient.create(former.dataSource());
        assertThat(jdbc.sql(orphan).query(Integer.class).single()).as("goes with the row of the primary").isEqualTo(1);
        assertThat(jdbc.sql("select count(*) from recovery_code").query(Integer.class).single()).isZero();
        replication.unguard();
        server.execute(update);
        assertThat(jdbc.sql(orphan).query(Integer.class).single()).isZero();
      }
    }
  }

  /** A node of the former primary goes on to write heartbeats until it notices. */
  @Test
  void theLastHeartbeatOfAPrimaryIsTheLastOne() throws Exception {
    try (Postgres server = Postgres.start();
        PostgresDatabase primary = PostgresDatabase.open(server.config());
        ExecutorService nodes = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicBoolean isOver = new AtomicBoolean();
      AtomicInteger refused = new AtomicInteger();
      Replication replication = new Replication(primary);
      Heartbeat heartbeat = new Heartbeat(primary);
      Future<?> node =
          nodes.submit(
              () -> {
                while (!isOver.get()) {
                  try {
                    heartbeat.beat();
                  } catch (DataAccessException e) {
                    refused.incrementAndGet();
                  }
                }
              });
      try {
        for (int i = 0; i < 10; i++) {
          Optional<Instant> last = replication.finish();
          int before = refused.get();
          Eventually.holds(() -> refused.get() > before + 1);
          assertThat(heartbeat.last()).isPresent().isEqualTo(last);
          replication.unguard();
        }
      } finally {
        // The executor waits for it when it is closed.
        isOver.set(true);
      }
      node.get();
    }
  }

  @Test
  void anotherServerOfTheSameEpochReplacesAPrimary() {
    PrimaryRecord berlin = new PrimaryRecord(2, "berlin");
    assertThat(new PrimaryRecord(2, "paris").replaces(berlin)).isTrue();
    assertThat(new PrimaryRecord(3, "paris").replaces(berlin)).isTrue();
    assertThat(new PrimaryRecord(1, "paris").replaces(berlin)).isFalse();
    assertThat(new PrimaryRecord(3, "berlin").replaces(berlin)).isFalse();
  }
}
