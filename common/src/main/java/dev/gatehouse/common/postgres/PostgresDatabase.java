package dev.gatehouse.common.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTimes;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.RecordLocation;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.postgres.PostgresConnections.Limits;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * PostgreSQL of {@code storage: shared}, migrated when it is opened. A commit that returned is on the disk of the primary, and of its
 * synchronous standbys.
 *
 * <p>A thread checks once a second whether the server answers. While it does not, queries fail at once, so that nobody waits for a server
 * that hangs; as soon as a server that takes writes answers, it is used again.
 */
public final class PostgresDatabase implements Database {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);

  /** Where the changes of tables are that only this kind of database has. */
  static final String MIGRATIONS = "classpath:db/postgresql";

  private static final int WAIT_MILLIS = 5_000;
  private static final int VALIDATION_MILLIS = 2_000;
  private static final int VALID_WITHIN_SECONDS = 3;

  private final PostgresConnections connections;
  private final HikariDataSource pool;
  private final DatabaseTimes times = new DatabaseTimes();
  private final DataSource dataSource = new ConnectionFactory(this::connection);
  private final RepeatedTask watch;
  private final OtherServers others;
  private final RepeatedTask otherWatch;
  private final AtomicInteger givenUp = new AtomicInteger();
  private volatile boolean superseded;
  private volatile String problem;
  private volatile Optional<Connection> probe;
  // Used only by the watching thread, once the database is open.
  private boolean migrated;
  private int promotions;
  private final boolean begunAway;

  /** @param probe empty if no server answers yet: the tables are migrated when one does */
  private PostgresDatabase(PostgresConnections connections, Optional<Connection> probe, String problem, boolean migrated) {
    this(connections, probe, problem, migrated, Optional.empty());
  }

  private PostgresDatabase(
      PostgresConnections connections, Optional<Connection> probe, String problem, boolean migrated, Optional<String> sessionStart) {
    this.connections = connections;
    this.probe = probe;
    this.migrated = migrated;
    this.promotions = connections.promotions();
    this.begunAway = probe.isEmpty();
    this.problem = problem;
    HikariConfig config = new HikariConfig();
    config.setPoolName("gatehouse-db");
    config.setDataSource(ConnectionFactory.of(connections, Limits.REQUESTS));
    config.setMaximumPoolSize(connections.config().connections());
    config.setMinimumIdle(1);
    sessionStart.ifPresent(config::setConnectionInitSql);
    config.setMetricsTrackerFactory((name, state) -> times);
    if (probe.isEmpty()) {
      config.setInitializationFailTimeout(-1);
    }
    config.setConnectionTimeout(WAIT_MILLIS);
    config.setValidationTimeout(VALIDATION_MILLIS);
    this.pool = new HikariDataSource(config);
    this.watch = RepeatedTask.begin("db-watch", "The database cannot be checked", this::check);
    this.others = new OtherServers(connections);
    this.otherWatch = RepeatedTask.begin("db-others", "The other servers cannot be asked", this::lookAtOthers);
  }

  /**
   * Connects, and creates or changes the tables.
   *
   * @throws PostgresUnusable in one sentence with the remedy
   */
  public static PostgresDatabase open(PostgresConfig config) throws PostgresUnusable {
    PostgresConnections connections = new PostgresConnections(config);
    Connection probe = connections.open(Limits.PROBE);
    try {
      migrate(connections);
      return new PostgresDatabase(connections, Optional.of(probe), "", true);
    } catch (PostgresUnusable e) {
      discard(probe);
      throw e;
    } catch (RuntimeException e) {
      discard(probe);
      throw e;
    }
  }

  /**
   * Opens a database that is away. Once a server answers that holds this installation, its tables are migrated and it is used.
   *
   * @param why why it could not be opened
   * @param record the installation as this node knows it
   * @param sequence the number that the server has acknowledged at least
   */
  public static PostgresDatabase away(PostgresConfig config, PostgresUnusable why, InstallationRecord record, long sequence) {
    PostgresConnections connections = new PostgresConnections(config);
    connections.expect(record);
    connections.keptSequence(sequence);
    return new PostgresDatabase(connections, Optional.empty(), String.valueOf(why.getMessage()), false);
  }

  /**
   * Opens the database of another server, which migrates it itself. It is used once it answers, if it holds this installation.
   *
   * @param record the installation as this node knows it; empty where nothing is known yet
   */
  public static PostgresDatabase ofOther(PostgresConfig config, Optional<InstallationRecord> record) {
    return ofOther(config, record, Optional.empty());
  }

  /** @param sessionStart a statement with which each session begins */
  public static PostgresDatabase ofOther(PostgresConfig config, Optional<InstallationRecord> record, Optional<String> sessionStart) {
    PostgresConnections connections = new PostgresConnections(config);
    record.ifPresent(connections::expect);
    return new PostgresDatabase(connections, Optional.empty(), "PostgreSQL (" + config.address() + ") was not asked yet", true, sessionStart);
  }

  private static void migrate(PostgresConnections connections) throws PostgresUnusable {
    try {
      Database.migrate(ConnectionFactory.of(connections, Limits.MIGRATION), MIGRATIONS);
    } catch (FlywayValidateException e) {
      throw new PostgresUnusable(
          "PostgreSQL (" + connections.config().address() + ") " + PostgresProblems.tables(String.valueOf(e.getMessage())), e);
    } catch (FlywayException e) {
      if (DeploymentLook.isForeign(JdbcClient.create(ConnectionFactory.of(connections, Limits.PROBE)))) {
        throw connections.refused(DeploymentLook.FOREIGN);
      }
      throw new PostgresUnusable(
          "The tables in PostgreSQL (" + connections.config().address() + ") cannot be created or changed: " + e.getMessage(), e);
    }
  }

  /**
   * Connects once and returns what the server guarantees; nothing is changed.
   *
   * @throws PostgresUnusable in one sentence with the remedy
   */
  public static PostgresGuarantees look(PostgresConfig config) throws PostgresUnusable {
    PostgresConnections connections = new PostgresConnections(config);
    discard(connections.open(Limits.PROBE));
    return connections.guarantees().orElseThrow();
  }

  /** Returns whether no server answered when it was opened. */
  public boolean isBegunAway() {
    return begunAway;
  }

  /** Refuses from now on servers that hold another installation, or this one at another generation. */
  public void expect(InstallationRecord record) {
    connections.expect(record);
    evict();
  }

  /** Refuses from now on servers that have forgotten this sequence number, which they acknowledged. */
  public void keptSequence(long sequence) {
    connections.keptSequence(sequence);
  }

  /** Returns what the server guarantees to which the last connection was opened; empty before the first. */
  public Optional<PostgresGuarantees> guarantees() {
    return connections.guarantees();
  }

  /** Returns the time by the clock of the server. */
  public Instant clock() {
    return JdbcClient.create(dataSource).sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
  }

  @Override
  public DataSource dataSource() {
    return dataSource;
  }

  /** @param end of a sentence that begins with the database */
  PostgresUnusable refused(String end) {
    return connections.refused(end);
  }

  /** Opens a connection beside the pool, for notifications. */
  Connection listening() throws PostgresUnusable {
    return connections.open(Limits.PROBE);
  }

  private Connection connection() throws SQLException {
    String known = problem;
    if (!known.isEmpty()) {
      throw new SQLTransientConnectionException(known);
    }
    return pool.getConnection();
  }

  @Override
  public Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }

  private void check() {
    boolean isSuperseded = superseded || promotions != connections.promotions();
    if (isSuperseded) {
      LOG.warn("A standby of PostgreSQL was promoted; the former primary is left");
    }
    if (isSuperseded || probe.filter(PostgresDatabase::answers).isEmpty()) {
      probe.ifPresent(PostgresDatabase::discard);
      probe = Optional.empty();
      try {
        probe = Optional.of(connections.open(Limits.PROBE));
        superseded = false;
        promotions = connections.promotions();
        if (!migrated) {
          migrate(connections);
          migrated = true;
        }
      } catch (PostgresUnusable e) {
        if (problem.isEmpty()) {
          LOG.error("{}", e.getMessage());
        }
        problem = String.valueOf(e.getMessage());
        probe.ifPresent(PostgresDatabase::discard);
        probe = Optional.empty();
        return;
      }
      // Connections to a server that failed are closed before anybody waits for one.
      evict();
      connections.abortOthers();
    }
    if (!problem.isEmpty()) {
      LOG.warn("The database answers again");
      problem = "";
    }
  }

  private void lookAtOthers() {
    Optional<Connection> asked = probe;
    if (others.isPromoted()) {
      superseded = true;
      // The other thread may be waiting for the former primary.
      asked.ifPresent(PostgresConnections::abort);
    }
  }

  private static boolean answers(Connection connection) {
    try {
      return connection.isValid(VALID_WITHIN_SECONDS) && !isReadOnly(connection);
    } catch (SQLException e) {
      return false;
    }
  }

  /** A primary that was stopped and came back as a standby under the same connection does not exist, but one set to read-only does. */
  private static boolean isReadOnly(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("show transaction_read_only")) {
      return row.next() && row.getString(1).equals("on");
    }
  }

  /**
   * Returns how often all connections were given up, because their server failed or another one was promoted; from the moment on that any
   * connection sees that.
   */
  int givenUp() {
    return givenUp.get() + connections.promotions();
  }

  private void evict() {
    givenUp.incrementAndGet();
    HikariPoolMXBean opened = pool.getHikariPoolMXBean();
    if (opened != null) {
      opened.softEvictConnections();
    }
  }

  @Override
  public RecordLocation installationRecord() {
    JdbcClient jdbc = JdbcClient.create(dataSource);
    return new RecordLocation() {
      @Override
      public Optional<String> read() {
        return jdbc.sql("select record from installation").query(String.class).optional();
      }

      @Override
      public void write(String text) {
        if (jdbc.sql("update installation set record = ?").params(text).update() == 0) {
          jdbc.sql("insert into installation (record) values (?)").params(text).update();
        }
      }
    };
  }

  @Override
  public void publish(MetricFamilies metrics) {
    times.publish(metrics, () -> pool, Optional.empty());
  }

  @Override
  public void close() {
    watch.close();
    otherWatch.close();
    others.close();
    probe.ifPresent(PostgresDatabase::discard);
    pool.close();
  }

  static void discard(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("A connection did not close in order", e);
    }
  }
}
