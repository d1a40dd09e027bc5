package dev.gatehouse.common.db;

import com.zaxxer.hikari.HikariDataSource;
import dev.gatehouse.common.installation.RecordLocation;
import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.remembered.OwnChanges;
import dev.gatehouse.common.remembered.RowChanges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The database of one node: H2, in a file or in memory. A commit that returned survives kill -9; loss of power may lose the last
 * commits, as with the embedded stores.
 *
 * <p>H2 closes itself for good when a write fails, for example on a full disk. A thread checks once a second and opens it
 * again as soon as that is possible. If the file is lost, the thread closes the database until the file is there again: H2 would write
 * to the lost file and acknowledge what no start finds.
 */
public final class H2Database implements Database {

  private static final Logger LOG = LoggerFactory.getLogger(H2Database.class);

  /**
   * PostgreSQL's rules for names and nulls, so that the same SQL works with both. We close H2 ourselves: its own shutdown hook
   * would run while requests are still being finished.
   */
  private static final String DIALECT =
      ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;DB_CLOSE_ON_EXIT=FALSE";

  private final String url;
  private final Optional<Path> file;
  private final DatabaseTimes times = new DatabaseTimes();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("gatehouse-db-watch").daemon().factory());
  private final DataSource dataSource = new ReopenedDataSource(this::pool);
  private final OwnChanges changes = new OwnChanges();
  /** How often the database was opened again. */
  private final AtomicLong reopened = new AtomicLong();
  private volatile OpenDatabase open;
  private volatile String problem = "";

  /** Whether the database is unusable, as the watch saw it. */
  private boolean isAway;
  private boolean closed;

  private H2Database(String url, Optional<Path> file) {
    this.url = url;
    this.file = file;
    try {
      open = OpenDatabase.open(url, times);
    } catch (RuntimeException e) {
      watch.shutdown();
      throw e;
    }
    try {
      Database.migrate(open.pool());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Opens H2 in {@code data/h2}; one process at a time can open it.
   *
   * <p>{@code WRITE_DELAY=0}: a commit passes its pages to the operating system before it returns. By default it would do so
   * up to half a second later.
   */
  static H2Database embedded(Path data) {
    Path directory = data.resolve("h2");
    try {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create " + directory, e);
    }
    H2Database database =
        new H2Database(
            DatabaseOpening.url(directory.toAbsolutePath().resolve("gatehouse")) + ";WRITE_DELAY=0" + DIALECT,
            Optional.of(directory.resolve("gatehouse.mv.db")));
    database.watch.scheduleWithFixedDelay(database::check, 1, 1, TimeUnit.SECONDS);
    return database;
  }

  /** Opens a new and empty H2 in memory, for {@code storage: volatile}; its content is lost when it is closed. */
  static H2Database inMemory() {
    return new H2Database("jdbc:h2:mem:" + UUID.randomUUID() + DIALECT, Optional.empty());
  }

  @Override
  public Optional<OwnChanges> changes() {
    return Optional.of(changes);
  }

  /**
   * Counts openings: no other process writes the tables, but a change that was seen may be gone when the database is opened again,
   * because its write has failed.
   */
  @Override
  public RowChanges rowChanges() {
    return _ -> OptionalLong.of(reopened.get());
  }

  @Override
  public RecordLocation installationRecord() {
    return DatabaseFile.installationRecord(dataSource);
  }

  /** Returns the position of the file; it only grows. */
  public long position() {
    try (Connection connection = dataSource.getConnection()) {
      return DatabaseFile.version(connection);
    } catch (SQLException e) {
      throw new DatabaseUnavailable("The database cannot be queried: " + e.getMessage(), e);
    }
  }

  @Override
  public void force() {
    sync();
  }

  /** Forces the file to disk and returns its position. */
  public long sync() {
    try (Connection connection = dataSource.getConnection()) {
      return DatabaseFile.sync(connection);
    } catch (SQLException e) {
      throw new DatabaseUnavailable("The database cannot be forced to disk: " + e.getMessage(), e);
    }
  }

  @Override
  public void publish(MetricFamilies metrics) {
    times.publish(metrics, () -> open.pool(), file);
  }

  /** Writes a consistent snapshot as a ZIP file of H2, while other work continues. */
  public void backup(Path archive) {
    String sql = "backup to '" + archive.toAbsolutePath().toString().replace("'", "''") + "'";
    ScopedValue.where(CheckedFile.COPYING, true).run(() -> JdbcClient.create(dataSource).sql(sql).update());
  }

  @Override
  public DataSource dataSource() {
    return dataSource;
  }

  @Override
  public Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty()).or(() -> DatabaseOpening.damageFound(url));
  }

  private HikariDataSource pool() {
    return open.pool();
  }

  private void check() {
    try {
      reopenIfUnusable();
    } catch (Throwable e) {
      // Errors are caught too: an exception thrown from here would end the watch for good.
      LOG.error("The database cannot be checked; it will be tried again", e);
    }
  }

  private synchronized void reopenIfUnusable() {
    Optional<Path> lost = file.filter(Files::notExists);
    if (closed || lost.isEmpty() && open.isUsable()) {
      return;
    }
    String why = lost.map(path -> "The file " + path + " is gone").orElse("The database closed itself after a write that failed");
    if (problem.isEmpty()) {
      LOG.error("{}; the database will be opened again as soon as that is possible", why);
    }
    problem = why;
    if (!isAway) {
      // A change for all is under way until the database is open again: whatever was read of it before counts no longer.
      isAway = true;
      changes.begin();
    }
    open.discard();
    if (lost.isPresent()) {
      return;
    }
    try {
      open = OpenDatabase.openAgain(url, times);
      reopened.incrementAndGet();
      if (open.isUsable()) {
        problem = "";
        isAway = false;
        changes.end();
        LOG.warn("The database is open again");
      }
    } catch (DatabaseUnavailable | StoreDamaged e) {
      problem = "The database cannot be opened: " + e.getMessage();
    }
  }

  @Override
  public void close() {
    // Not shutdownNow: an interrupt closes H2's file channel under a thread that is opening it (ClosedByInterruptException).
    watch.shutdown();
    synchronized (this) {
      closed = true;
      try {
        open.close();
      } catch (SQLException e) {
        throw new IllegalStateException("The database did not close in order", e);
      }
    }
  }
}
