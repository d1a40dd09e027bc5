package dev.gatehouse.common.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.JdbcConsents;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.postgres.PostgresConnections.Limits;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A database that fails, hangs, is replaced by its standby, or must not be used; each with a real PostgreSQL. */
@Timeout(180)
class PostgresDatabaseTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void eachMistakeIsOneSentence() throws Exception {
    try (Postgres server = Postgres.start()) {
      assertThatThrownBy(() -> PostgresDatabase.open(Postgres.config("wrong", server)))
          .isInstanceOf(PostgresUnusable.class)
          .hasMessageContainingAll("refuses the user gatehouse", "postgresql.password")
          .message()
          .hasLineCount(1);
      assertThatThrownBy(() -> PostgresDatabase.open(of(server, "nowhere", true)))
          .hasMessageContainingAll("has no database nowhere", "createdb");
      assertThatThrownBy(() -> PostgresDatabase.open(of(server, "postgres", false)))
          .hasMessageContainingAll("offers no TLS that can be trusted", "postgresql.ca");
      server.execute("alter role gatehouse set synchronous_commit = off");
      assertThatThrownBy(() -> PostgresDatabase.open(server.config())).hasMessageContaining("set synchronous_commit = on");
      server.execute("alter role gatehouse reset synchronous_commit", "alter role gatehouse set default_transaction_read_only = on");
      assertThatThrownBy(() -> PostgresDatabase.open(server.config())).hasMessageContaining("has no server that takes writes");
      server.kill();
      assertThatThrownBy(() -> PostgresDatabase.open(server.config()))
          .hasMessageContainingAll("does not answer", "refused", "correct postgresql.url")
          .message()
          .hasLineCount(1);
    }
  }

  private static PostgresConfig of(Postgres server, String database, boolean isClear) {
    PostgresConfig usual = server.config();
    return new PostgresConfig(
        List.of(InetSocketAddress.createUnresolved("127.0.0.1", server.port())), database, usual.user(), usual.password(), 4, isClear,
        Optional.empty());
  }

  @Test
  void saysWhatTheServerGuarantees() throws Exception {
    try (Postgres server = Postgres.start()) {
      PostgresGuarantees found = PostgresDatabase.look(server.config());

      assertThat(found.majorVersion()).isGreaterThanOrEqualTo(14);
      assertThat(found.sentences())
          .anySatisfy(line -> assertThat(line).contains("no TLS"))
          .anySatisfy(line -> assertThat(line).contains("no synchronous standby"))
          .anySatisfy(line -> assertThat(line).contains("fsync = off"));
    }
  }

  /** The way back of an upgrade. */
  @Test
  void tablesThatALaterVersionHasChangedByAScriptWithoutNumberAreUsed() throws Exception {
    try (Postgres server = Postgres.start()) {
      try (PostgresDatabase database = PostgresDatabase.open(server.config())) {
        JdbcClient.create(database.dataSource())
            .sql(
                "insert into flyway_schema_history (installed_rank, version, description, type, script, checksum, installed_by,"
                    + " execution_time, success) select max(installed_rank) + 1, null, 'of a later version', 'SQL', 'R__of_a_later_version.sql', 1,"
                    + " 'test', 0, true from flyway_schema_history")
            .update();
      }
      try (PostgresDatabase again = PostgresDatabase.open(server.config())) {
        ask(again);
      }
    }
  }

  @Test
  void aServerThatEndsIsUsedAgainWhenItIsBack() throws Exception {
    try (Postgres server = Postgres.start();
        PostgresDatabase database = PostgresDatabase.open(server.config())) {
      server.kill();
      await(() -> database.problem().isPresent());
      assertThat(database.problem().orElseThrow()).contains("does not answer");
      assertThatThrownBy(() -> ask(database)).isInstanceOf(DataAccessException.class);

      server.startAgain();
      await(() -> database.problem().isEmpty());
      ask(database);
    }
  }

  @Test
  void nobodyWaitsLongForAServerThatHangs() throws Exception {
    try (Postgres server = Postgres.start();
        PostgresDatabase database = PostgresDatabase.open(server.config())) {
      server.pause();
      try {
        long began = System.nanoTime();
        assertThatThrownBy(() -> ask(database)).isInstanceOf(DataAccessException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));

        await(() -> database.problem().isPresent());
        long known = System.nanoTime();
        assertThatThrownBy(() -> ask(database)).isInstanceOf(DataAccessException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - known)).isLessThan(Duration.ofSeconds(1));
      } finally {
        server.resume();
      }
      await(() -> database.problem().isEmpty());
      ask(database);
    }
  }

  /** Without this a caller waits for the whole time that an answer may take, as if nobody had been promoted. */
  @Test
  void whoWaitsForAFormerPrimaryThatHangsIsReleasedByThePromotion() throws Exception {
    try (Postgres former = Postgres.start();
        Postgres standby = former.standby();
        PostgresDatabase database = PostgresDatabase.open(Postgres.config(Postgres.password(), former, standby))) {
      ask(database);
      former.pause();
      try {
        long began = System.nanoTime();
        standby.promote();
        assertThatThrownBy(() -> ask(database)).isInstanceOf(DataAccessException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
        await(() -> succeeds(() -> ask(database)));
      } finally {
        former.resume();
      }
    }
  }

  /** As a primary does that hung while its standby was promoted: it answers reads, with what was true before. */
  @Test
  void aFormerPrimaryThatStillAnswersIsLeft() throws Exception {
    try (Postgres former = Postgres.start();
        Postgres standby = former.standby();
        PostgresDatabase database = PostgresDatabase.open(Postgres.config(Postgres.password(), former, standby))) {
      ask(database);
      PostgresConnections own = new PostgresConnections(Postgres.config(Postgres.password(), former, standby));
      own.open(Limits.REQUESTS).close();
      int before = database.givenUp();
      standby.promote();
      assertThat(own.promotions()).isZero();
      own.open(Limits.PROBE).close();
      assertThat(own.promotions()).as("seen by the connection").isEqualTo(1);
      database.listening().close();
      assertThat(database.givenUp()).as("before the database is checked again").isGreaterThan(before);
      standby.execute("create table only_there (x int)");
      await(() -> succeeds(() -> JdbcClient.create(database.dataSource()).sql("select count(*) from only_there").query().singleValue()));
      assertThat(database.problem()).isEmpty();
      try (PostgresDatabase fresh = PostgresDatabase.open(Postgres.config(Postgres.password(), former, standby))) {
        JdbcClient.create(fresh.dataSource()).sql("select count(*) from only_there").query().singleValue();
      }
    }
  }

  private static boolean succeeds(Runnable question) {
    try {
      question.run();
      return true;
    } catch (DataAccessException e) {
      return false;
    }
  }

  @Test
  void aPromotedStandbyIsUsedAndTheFormerPrimaryIsNot() throws Exception {
    try (Postgres primary = Postgres.start("synchronous_standby_names=standby");
        Postgres standby = primary.standby();
        PostgresDatabase database = PostgresDatabase.open(Postgres.config(Postgres.password(), primary, standby))) {
      assertThat(database.guarantees().orElseThrow().synchronousStandbys()).isEqualTo("standby");
      Consents consents = new JdbcConsents(database, InstantSource.system());
      primary.execute("create table acknowledged (it integer)", "insert into acknowledged values (1)");

      primary.kill();
      standby.promote();
      await(() -> database.problem().isEmpty() && isUsable(database));
      assertThat(JdbcClient.create(database.dataSource()).sql("select count(*) from acknowledged").query(Long.class).single()).isOne();
      assertThat(consents).isNotNull();

      // It comes back as it was, and would take writes that the new primary never sees.
      primary.startAgain();
      standby.kill();
      await(() -> database.problem().filter(text -> text.contains("was the primary before")).isPresent());
    }
  }

  @Test
  void aDatabaseThatIsOlderOrForeignIsRefusedWhileTheNodeRuns() throws Exception {
    try (Postgres server = Postgres.start();
        PostgresDatabase database = PostgresDatabase.open(server.config())) {
      InstallationRecord record = new InstallationRecord("0123456789abcdef0123456789abcdef", 4, Optional.empty());
      database.installationRecord().write(record.format());
      database.expect(record);
      ask(database);

      assertRefused(server, database, new InstallationRecord(record.id(), 3, Optional.empty()), "is an older copy (generation 3 after 4)");
      assertRefused(
          server, database, new InstallationRecord("ff23456789abcdef0123456789abcdef", 4, Optional.empty()), "holds another installation");
      assertRefused(server, database, new InstallationRecord(record.id(), 5, Optional.empty()), "start the node again");
      server.execute("drop table installation");
      server.kill();
      await(() -> database.problem().isPresent());
      server.startAgain();
      await(() -> database.problem().filter(text -> text.contains("is empty, or was replaced")).isPresent());
    }
  }

  private static void assertRefused(Postgres server, PostgresDatabase database, InstallationRecord found, String sentence)
      throws Exception {
    server.execute("update installation set record = '" + found.format() + "'");
    server.kill();
    await(() -> database.problem().isPresent());
    server.startAgain();
    await(() -> database.problem().filter(text -> text.contains(sentence)).isPresent());
  }

  private static boolean isUsable(PostgresDatabase database) {
    try {
      ask(database);
      return true;
    } catch (DataAccessException e) {
      return false;
    }
  }

  private static void ask(PostgresDatabase database) {
    JdbcClient.create(database.dataSource()).sql("select 1").query(Integer.class).single();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is over").isLessThan(end);
      Thread.sleep(50);
    }
  }
}
