package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.dao.DataAccessException;

/** Finds other servers for commands. */
final class OtherServers {

  private static final int WAIT_MILLIS = 6_000;
  private static final int PAUSE_MILLIS = 50;

  /** A server whose own database says that it is the primary. */
  record Primary(PrimaryRecord record, PostgresConfig config, PostgresDatabase database) implements AutoCloseable {
    @Override
    public void close() {
      database.close();
    }
  }

  private OtherServers() {}

  /** Returns the one with the highest epoch of those that answer; it is closed by the caller. */
  static Optional<Primary> primary(OtpServerConfig config) {
    List<Primary> found = new CopyOnWriteArrayList<>();
    List<Thread> asking =
        config.servers().entrySet().stream()
            .filter(server -> !server.getKey().equals(config.server()))
            .map(server -> Thread.startVirtualThread(() -> ask(server.getKey(), server.getValue()).ifPresent(found::add)))
            .toList();
    for (Thread one : asking) {
      try {
        one.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    Optional<Primary> newest = found.stream().max(Comparator.comparingLong(one -> one.record().epoch()));
    found.stream().filter(one -> !newest.equals(Optional.of(one))).forEach(Primary::close);
    return newest;
  }

  /** Returns the server of that name if it answers and is a primary; it is closed by the caller. */
  static Optional<Primary> ask(String name, PostgresConfig config) {
    return open(config)
        .flatMap(
            database -> {
              Optional<PrimaryRecord> record = record(database).filter(primary -> primary.server().equals(name));
              if (record.isEmpty()) {
                database.close();
              }
              return record.map(primary -> new Primary(primary, config, database));
            });
  }

  private static Optional<PrimaryRecord> record(PostgresDatabase database) {
    try {
      return new Replication(database).primary();
    } catch (DataAccessException e) {
      // It is away again, or no node has made its tables: it is not the primary.
      return Optional.empty();
    }
  }

  /** Returns a database if it answers and has the tables of servers; it is closed by the caller. */
  static Optional<PostgresDatabase> open(PostgresConfig config) {
    return connect(config, database -> new Replication(database).followed());
  }

  /** Returns a database if it answers, and what is asked there succeeds; it is closed by the caller. */
  static Optional<PostgresDatabase> connect(PostgresConfig config, Consumer<PostgresDatabase> asked) {
    try {
      PostgresDatabase.look(config);
    } catch (PostgresUnusable e) {
      return Optional.empty();
    }
    PostgresDatabase database = PostgresDatabase.ofOther(config, Optional.empty());
    long end = System.nanoTime() + WAIT_MILLIS * 1_000_000L;
    try {
      while (database.problem().isPresent() && System.nanoTime() < end) {
        Thread.sleep(PAUSE_MILLIS);
      }
      asked.accept(database);
      return Optional.of(database);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (DataAccessException e) {
      // It is away, or no node has made its tables.
    }
    database.close();
    return Optional.empty();
  }
}
