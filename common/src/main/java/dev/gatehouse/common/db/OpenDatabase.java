package dev.gatehouse.common.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One opening of a database, with its connections.
 *
 * @param keeper H2 closes a database with its last connection; this one stays open as long as the database
 */
record OpenDatabase(Connection keeper, HikariDataSource pool) {

  private static final Logger LOG = LoggerFactory.getLogger(OpenDatabase.class);
  private static final String USER = "gatehouse";

  private static final int CONNECTIONS = 8;
  private static final int VALID_WITHIN_SECONDS = 2;

  /**
   * Opens a database, which may be a new one.
   *
   * @throws dev.gatehouse.common.installation.StoreDamaged if the content of the file cannot be read
   */
  static OpenDatabase open(String url, DatabaseTimes times) {
    return withPool(DatabaseOpening.open(url, USER), url, times);
  }

  /** Opens a database again, and creates none; throws what {@link #open} throws. */
  static OpenDatabase openAgain(String url, DatabaseTimes times) {
    return withPool(DatabaseOpening.open(existing(url), USER), url, times);
  }

  /** Otherwise H2 creates an empty database in place of a file that was lost. Servers create none. */
  private static String existing(String url) {
    return url.startsWith("jdbc:h2:") ? url + ";IFEXISTS=TRUE" : url;
  }

  private static OpenDatabase withPool(Connection keeper, String url, DatabaseTimes times) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("gatehouse-db");
    config.setJdbcUrl(existing(url));
    config.setUsername(USER);
    config.setPassword("");
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(1);
    config.setMetricsTrackerFactory((name, state) -> times);
    config.setConnectionTimeout(5_000);
    try {
      return new OpenDatabase(keeper, new HikariDataSource(config));
    } catch (RuntimeException e) {
      discard(keeper);
      throw new DatabaseUnavailable("The database cannot be opened: " + e.getMessage(), e);
    }
  }

  /** Returns whether the database can be written. H2 closes itself after a failed write, and opens a write-protected file read-only. */
  boolean isUsable() {
    try {
      return keeper.isValid(VALID_WITHIN_SECONDS) && !keeper.isReadOnly();
    } catch (SQLException e) {
      return false;
    }
  }

  void close() throws SQLException {
    pool.close();
    keeper.close();
  }

  /** Releases the connections of a database that closed itself. */
  void discard() {
    pool.close();
    discard(keeper);
  }

  private static void discard(Connection keeper) {
    try {
      keeper.close();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("The closed database did not close in order", e);
    }
  }
}
