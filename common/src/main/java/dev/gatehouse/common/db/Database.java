package dev.gatehouse.common.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.gatehouse.common.installation.RecordPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The node's relational database, migrated when it is there. A commit that returned survives kill -9; loss of power may
 * lose the last ones, as with the embedded stores.
 */
public final class Database implements AutoCloseable {

  /**
   * PostgreSQL's rules for names and nulls, so that one SQL fits both. H2 is closed by us and not by its own shutdown
   * hook, which would run while requests still end.
   */
  private static final String DIALECT =
      ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;DB_CLOSE_ON_EXIT=FALSE";

  private static final String USER = "gatehouse";
  private static final int CONNECTIONS = 8;

  /** H2 closes a database with its last connection; this one lasts as long as we do. */
  private final Connection keeper;

  private final HikariDataSource pool;

  private Database(String url) {
    keeper = DatabaseOpening.open(url, USER);
    HikariConfig config = new HikariConfig();
    config.setPoolName("gatehouse-db");
    config.setJdbcUrl(url);
    config.setUsername(USER);
    config.setPassword("");
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(5_000);
    pool = new HikariDataSource(config);
    try {
      Flyway.configure()
          .dataSource(pool)
          .locations("classpath:db/migration")
          .javaMigrations(new ConsentNamesMigration())
          .load()
          .migrate();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * H2 in {@code data/h2}, opened by one process at a time.
   *
   * <p>{@code WRITE_DELAY=0}: a commit hands its pages to the operating system before it returns. By default it would do so
   * up to half a second later.
   */
  public static Database embedded(Path data) {
    Path directory = data.resolve("h2");
    try {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot make " + directory, e);
    }
    return new Database("jdbc:h2:file:" + directory.toAbsolutePath().resolve("gatehouse") + ";WRITE_DELAY=0" + DIALECT);
  }

  /** H2 in memory, for {@code storage: volatile}; a new and empty one each time, gone when closed. */
  public static Database inMemory() {
    return new Database("jdbc:h2:mem:" + UUID.randomUUID() + DIALECT);
  }

  /** Where the installation's record is kept. */
  public RecordPlace installationRecord() {
    return DatabaseFile.installationRecord(pool);
  }

  /** How far the file has come; it only grows. */
  public long position() {
    try (Connection connection = pool.getConnection()) {
      return DatabaseFile.version(connection);
    } catch (SQLException e) {
      throw new DatabaseUnavailable("The database cannot be asked: " + e.getMessage(), e);
    }
  }

  /** Forces the file to disk and returns how far it has come. */
  public long sync() {
    try (Connection connection = pool.getConnection()) {
      return DatabaseFile.sync(connection);
    } catch (SQLException e) {
      throw new DatabaseUnavailable("The database cannot be forced to disk: " + e.getMessage(), e);
    }
  }

  /** Writes a snapshot of one moment, while others go on, as a ZIP file of H2's. */
  public void backup(Path archive) {
    JdbcClient.create(pool).sql("backup to '" + archive.toAbsolutePath().toString().replace("'", "''") + "'").update();
  }

  public DataSource dataSource() {
    return pool;
  }

  @Override
  public void close() {
    pool.close();
    try {
      keeper.close();
    } catch (SQLException e) {
      throw new IllegalStateException("The database did not close in order", e);
    }
  }
}
