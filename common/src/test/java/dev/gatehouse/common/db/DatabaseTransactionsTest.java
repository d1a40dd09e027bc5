package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions whose server is gone before they end. */
class DatabaseTransactionsTest {

  @Test
  void aCommitThatNobodyAnswersIsAnUnavailableDatabase() throws Exception {
    try (Postgres server = Postgres.start();
        PostgresDatabase database = PostgresDatabase.open(server.config())) {
      JdbcClient jdbc = JdbcClient.create(database.dataSource());
      TransactionTemplate transaction = DatabaseTransactions.of(database);
      assertThatThrownBy(
              () ->
                  transaction.executeWithoutResult(
                      status -> {
                        jdbc.sql("create table changed (x int)").update();
                        killed(server);
                      }))
          .isInstanceOf(DataAccessException.class);
    }
  }

  @Test
  void aStatementOrBeginThatNobodyAnswersIsAnUnavailableDatabase() throws Exception {
    try (Postgres server = Postgres.start();
        PostgresDatabase database = PostgresDatabase.open(server.config())) {
      JdbcConsents consents = new JdbcConsents(database, InstantSource.system());
      consents.give("demo", "partner", new PersonId("alice"), Set.of("mail"));
      assertThatThrownBy(
              () ->
                  DatabaseTransactions.of(database)
                      .executeWithoutResult(
                          status -> {
                            killed(server);
                            consents.give("demo", "partner", new PersonId("alice"), Set.of("uid"));
                          }))
          .isInstanceOf(DataAccessException.class);
      assertThatThrownBy(() -> consents.give("demo", "partner", new PersonId("alice"), Set.of("uid")))
          .isInstanceOf(DataAccessException.class);
    }
  }

  private static void killed(Postgres server) {
    try {
      server.kill();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
