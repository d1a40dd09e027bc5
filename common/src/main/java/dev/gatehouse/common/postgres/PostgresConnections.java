package dev.gatehouse.common.postgres;

import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.node.PostgresConfig;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ssl.DefaultJavaSSLFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections to the server that takes writes. Each is checked before it is used: the server must acknowledge durable writes only,
 * be no deposed primary, and hold this installation at its present generation.
 */
final class PostgresConnections {

  /** Limits of one kind of connection: how long a statement, a lock and an answer may take. */
  enum Limits {
    /** For requests: nobody waits longer for a server that hangs. */
    REQUESTS("-c statement_timeout=8s -c lock_timeout=5s -c idle_in_transaction_session_timeout=30s", Duration.ofSeconds(10)),
    /** For the check whether the server answers, and for what waits for notifications. */
    PROBE("-c statement_timeout=4s -c lock_timeout=4s", Duration.ofSeconds(5)),
    /** For changes of tables, which may take long. */
    MIGRATION("-c lock_timeout=0", Duration.ZERO);

    private final String options;
    private final Duration answer;

    Limits(String options, Duration answer) {
      this.options = options;
      this.answer = answer;
    }
  }

  /** How long a server may take to let somebody in: the next one is tried after it. */
  private static final Duration CONNECT = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(PostgresConnections.class);

  private final PostgresConfig config;
  private volatile InetSocketAddress preferred;
  private final AtomicLong timeline = new AtomicLong();
  private final AtomicInteger promotions = new AtomicInteger();
  private final AtomicLong sequence = new AtomicLong();
  private volatile Optional<InstallationRecord> expected = Optional.empty();
  private volatile Optional<PostgresGuarantees> guarantees = Optional.empty();

  /** The connections of requests and their servers. */
  private final Map<Connection, InetSocketAddress> ofRequests = Collections.synchronizedMap(new WeakHashMap<>());

  PostgresConnections(PostgresConfig config) {
    this.config = config;
    this.preferred = config.servers().getFirst();
  }

  private static String authority(InetSocketAddress server) {
    return server.getHostString() + ":" + server.getPort();
  }

  /** Refuses from now on servers that hold another installation, or this one at another generation. */
  void expect(InstallationRecord record) {
    expected = Optional.of(record);
  }

  /** Returns what the server of the last connection guarantees; empty before the first. */
  Optional<PostgresGuarantees> guarantees() {
    return guarantees;
  }

  /** Refuses from now on servers whose sequence is lower. */
  void keptSequence(long kept) {
    sequence.accumulateAndGet(kept, Math::max);
  }

  PostgresConfig config() {
    return config;
  }

  /**
   * Opens a connection to the server that takes writes; that of the last one is tried first, so that one that hangs delays nobody for long.
   * A probe asks all of them and takes the one that was promoted last.
   *
   * @throws PostgresUnusable in one sentence with the remedy
   */
  Connection open(Limits limits) throws PostgresUnusable {
    List<InetSocketAddress> servers = new ArrayList<>(config.servers());
    servers.remove(preferred);
    servers.addFirst(preferred);
    List<PostgresUnusable> failures = new ArrayList<>();
    Optional<Connection> newest = Optional.empty();
    long newestTimeline = 0;
    for (InetSocketAddress server : servers) {
      try {
        Connection connection = open(server, limits);
        PostgresGuarantees found = checked(connection);
        if (newest.isPresent() && found.timeline() <= newestTimeline) {
          close(connection);
          continue;
        }
        prefer(server, connection, found, limits);
        newest.ifPresent(PostgresConnections::close);
        newest = Optional.of(connection);
        newestTimeline = found.timeline();
        guarantees = Optional.of(found);
        if (limits != Limits.PROBE) {
          break;
        }
      } catch (PostgresUnusable e) {
        failures.add(e);
      }
    }
    return newest.orElseThrow(() -> worst(failures));
  }

  /** Notes the server, unless another one was promoted since the connection was checked. */
  private void prefer(InetSocketAddress server, Connection connection, PostgresGuarantees found, Limits limits) throws PostgresUnusable {
    synchronized (ofRequests) {
      if (found.timeline() < timeline.get()) {
        close(connection);
        throw refused("was the primary before a standby was promoted");
      }
      preferred = server;
      if (limits == Limits.REQUESTS) {
        ofRequests.put(connection, server);
      }
    }
  }

  /**
   * Ends what waits for another server than that of the last connection: who waits for a former primary that hangs would do so until the
   * limit of an answer is over, and what that one says counts no longer.
   */
  void abortOthers() {
    List<Connection> others;
    synchronized (ofRequests) {
      InetSocketAddress current = preferred;
      others = ofRequests.entrySet().stream().filter(each -> !each.getValue().equals(current)).map(Map.Entry::getKey).toList();
      ofRequests.keySet().removeAll(others);
    }
    others.forEach(PostgresConnections::abort);
  }

  /** Ends a connection without a farewell, also while somebody waits for its answer. */
  static void abort(Connection connection) {
    try {
      connection.abort(Thread::startVirtualThread);
    } catch (SQLException e) {
      LOG.debug("A connection to a former primary could not be ended", e);
    }
  }

  /** Returns what most needs a remedy: a server that must not be used, then one that takes no writes, then one that is away. */
  private static PostgresUnusable worst(List<PostgresUnusable> failures) {
    return failures.stream()
        .filter(failure -> !failure.isAway())
        .findFirst()
        .or(() -> failures.stream().filter(failure -> String.valueOf(failure.getMessage()).contains("takes writes")).findFirst())
        .orElseGet(failures::getLast);
  }

  private Connection open(InetSocketAddress server, Limits limits) throws PostgresUnusable {
    try {
      Connection connection = new Driver().connect("jdbc:postgresql://" + authority(server) + "/" + config.database(), properties(limits));
      if (connection == null) {
        throw new IllegalStateException("The driver does not know " + server);
      }
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limits.answer.toMillis()));
      return connection;
    } catch (SQLException e) {
      throw PostgresProblems.explained(config, e);
    }
  }

  /** Returns the servers that are not in use, some of which may have been promoted. */
  List<InetSocketAddress> others() {
    return config.servers().stream().filter(server -> !server.equals(preferred)).toList();
  }

  /** Opens a connection to a server that may be a standby, for questions only. */
  Connection ask(InetSocketAddress server) throws SQLException {
    Properties properties = properties(Limits.PROBE);
    PGProperty.TARGET_SERVER_TYPE.set(properties, "any");
    Connection connection = new Driver().connect("jdbc:postgresql://" + authority(server) + "/" + config.database(), properties);
    if (connection == null) {
      throw new IllegalStateException("The driver does not know " + server);
    }
    return connection;
  }

  /** Returns whether a standby was promoted since the server in use was connected. */
  boolean isPromoted(Connection other) throws SQLException {
    try (Statement statement = other.createStatement();
        ResultSet row = statement.executeQuery("select pg_is_in_recovery()")) {
      if (!row.next() || row.getBoolean(1)) {
        return false;
      }
    }
    return PostgresGuarantees.of(other).timeline() > timeline.get();
  }

  /** Returns how often a connection was opened to a server that had been promoted since the former ones. */
  int promotions() {
    return promotions.get();
  }

  private PostgresGuarantees checked(Connection connection) throws PostgresUnusable {
    try {
      return check(connection);
    } catch (PostgresUnusable e) {
      close(connection);
      throw e;
    } catch (SQLException e) {
      close(connection);
      throw PostgresProblems.explained(config, e);
    }
  }

  private PostgresGuarantees check(Connection connection) throws SQLException {
    PostgresGuarantees server = PostgresGuarantees.of(connection);
    Optional<String> defect = server.defect();
    if (defect.isPresent()) {
      throw refused(defect.get());
    }
    long former = timeline.getAndAccumulate(server.timeline(), Math::max);
    if (former != 0 && server.timeline() > former) {
      promotions.incrementAndGet();
    }
    long newest = Math.max(former, server.timeline());
    if (server.timeline() < newest) {
      throw refused(
          "was the primary before a standby was promoted (timeline " + server.timeline() + " after " + newest
              + "): stop it, and set it up as a standby of the new primary");
    }
    Optional<InstallationRecord> ours = expected;
    if (ours.isPresent()) {
      Optional<String> difference = difference(ours.get(), read(connection).flatMap(InstallationRecord::parse));
      if (difference.isPresent()) {
        throw refused(difference.get());
      }
      long found = sequence(connection);
      if (found < sequence.get()) {
        throw refused(
            "is an older copy (sequence " + found + " after " + sequence.get()
                + "): connect the newer one, or restore a backup and accept the loss with ./gatehouse recover");
      }
    }
    return server;
  }

  static Optional<String> difference(InstallationRecord ours, Optional<InstallationRecord> found) {
    if (found.isEmpty()) {
      return Optional.of("is empty, or was replaced: restore its backup, or accept the loss with ./gatehouse recover");
    }
    if (!found.get().id().equals(ours.id())) {
      return Optional.of("holds another installation: correct postgresql.url, or restore the backup of this installation");
    }
    long generation = found.get().generation();
    if (generation > ours.generation()) {
      return Optional.of("was recovered or restored since this node started: start the node again");
    }
    return generation < ours.generation()
        ? Optional.of(
            "is an older copy (generation " + generation + " after " + ours.generation()
                + "): connect the newer one, or accept the loss with ./gatehouse recover")
        : Optional.empty();
  }

  private static long sequence(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select sequence from deployment")) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** Returns the installation's record as it was written; empty if none was. */
  private static Optional<String> read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select case when to_regclass('installation') is null then '' else 'x' end")) {
      if (!row.next() || row.getString(1).isEmpty()) {
        return Optional.empty();
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select record from installation")) {
      return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
    }
  }

  PostgresUnusable refused(String end) {
    return new PostgresUnusable("PostgreSQL (" + config.address() + ") " + end);
  }

  private Properties properties(Limits limits) {
    Properties properties = new Properties();
    PGProperty.USER.set(properties, config.user());
    PGProperty.PASSWORD.set(properties, config.password().value());
    PGProperty.APPLICATION_NAME.set(properties, "gatehouse");
    PGProperty.TARGET_SERVER_TYPE.set(properties, "primary");
    // What was found out about a server that failed is forgotten at once, because standbys are promoted.
    PGProperty.HOST_RECHECK_SECONDS.set(properties, 0);
    PGProperty.CONNECT_TIMEOUT.set(properties, String.valueOf(CONNECT.toSeconds()));
    // Until it is open: a server that hangs takes connections and says nothing.
    PGProperty.SOCKET_TIMEOUT.set(properties, String.valueOf(CONNECT.toSeconds()));
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.OPTIONS.set(properties, limits.options);
    PGProperty.GSS_ENC_MODE.set(properties, "disable");
    PGProperty.SSL_MODE.set(properties, config.isClear() ? "disable" : "verify-full");
    config.authorities()
        .ifPresentOrElse(
            file -> PGProperty.SSL_ROOT_CERT.set(properties, file.toString()),
            () -> {
              if (!config.isClear()) {
                PGProperty.SSL_FACTORY.set(properties, DefaultJavaSSLFactory.class.getName());
              }
            });
    return properties;
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // The connection is unusable: closing it adds nothing.
    }
  }
}
