package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What other tests take for granted of a server that they kill, or that does not start. */
@Timeout(120)
class KilledPostgresTest {

  private static final int CLIENTS = 3;

  /** It works for longer than all clients take to begin on a busy machine, and needs no memory. */
  private static final String LONG = "select count(*) from generate_series(1, 9000) a, generate_series(1, 60000) b";

  private static final String ALL_WORK =
      "do $$ begin assert (select count(*) from pg_stat_activity where state = 'active' and query like 'select count%') >= "
          + CLIENTS + "; end $$";

  @Test
  void aServerThatIsKilledWhileItWorksStartsAgainAtOnce() throws Exception {
    try (Postgres server = Postgres.start();
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 3; i++) {
        for (int client = 0; client < CLIENTS; client++) {
          clients.execute(() -> work(server));
        }
        Eventually.holds(() -> allWork(server));
        server.kill();
        assertThat(server.isRunning()).isFalse();
        server.startAgain();
        server.execute("select 1");
      }
    }
  }

  private static boolean allWork(Postgres server) {
    try {
      server.execute(ALL_WORK);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static void work(Postgres server) {
    try {
      server.execute(LONG);
    } catch (SQLException e) {
      // The server was killed, or has not started again yet.
    }
  }

  @Test
  void aServerThatDoesNotStartTellsWhy() throws Exception {
    // Skipped here if PostgreSQL is not installed.
    try (Postgres other = Postgres.start()) {
      assertThat(other.isRunning()).isTrue();
      assertThatThrownBy(() -> Postgres.start("no_such_setting=1")).isInstanceOf(IOException.class).hasMessageContaining("no_such_setting");
    }
  }
}
