package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.node.PostgresConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The subscription of a replica in its own database, and how far it is. */
final class Subscription {

  private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

  /** Of the name, which the slot at the primary has as well. */
  static final String PREFIX = "gatehouse_otp_";

  /** Connecting to the primary, and waiting there for the transactions that run. */
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** After so long without an acknowledgement, the connection to the primary is given up and made anew. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final Database database;
  private final JdbcClient jdbc;
  private final String name;

  Subscription(Database replica, String server) {
    this.database = replica;
    this.jdbc = JdbcClient.create(replica.dataSource());
    this.name = name(server);
  }

  static String name(String server) {
    return PREFIX + server;
  }

  boolean isThere() {
    return jdbc.sql("select count(*) from pg_subscription where subname = ?").param(name).query(Integer.class).single() > 0;
  }

  /** Returns whether it is there, and disabled. */
  boolean isDisabled() {
    return jdbc.sql("select exists (select 1 from pg_subscription where subname = ? and not subenabled)")
        .param(name)
        .query(Boolean.class)
        .single();
  }

  /** Returns whether a process of PostgreSQL still applies what it got. */
  boolean isRunning() {
    return jdbc.sql("select exists (select 1 from pg_stat_subscription where subname = ? and pid is not null)")
        .param(name)
        .query(Boolean.class)
        .single();
  }

  /**
   * Returns the end of the last transaction in the primary's log that this replica has, and all before it; empty if it is not known, also
   * because PostgreSQL may tell it to nobody but a superuser, or the copy is not finished.
   */
  Optional<Long> position() {
    boolean isTold =
        jdbc.sql(
                "select has_function_privilege('pg_show_replication_origin_status()', 'execute')"
                    + " and has_table_privilege('pg_replication_origin_status', 'select')")
            .query(Boolean.class)
            .single();
    if (!isTold) {
      return Optional.empty();
    }
    return jdbc.sql(
            """
            select (o.remote_lsn - '0/0'::pg_lsn)::bigint from pg_subscription s
            join pg_replication_origin_status o on o.external_id = 'pg_' || s.oid
            where s.subname = ? and o.remote_lsn > '0/0'::pg_lsn
              and not exists (select 1 from pg_subscription_rel r where r.srsubid = s.oid and r.srsubstate <> 'r')
            """)
        .param(name)
        .query(Long.class)
        .optional();
  }

  /**
   * Subscribes to all tables without beginning to copy. PostgreSQL connects to the primary for it and makes a slot there: what would
   * prevent the copy is found while this server still has its former one.
   */
  void prepare(PostgresConfig primary) {
    create(primary, "copy_data = true");
  }

  /**
   * Follows a primary that has all rows of this copy, from a slot that was made there before the first other change. It is one transaction:
   * afterwards this is a copy of that primary, or nothing has changed.
   */
  void follow(PostgresConfig primary, PrimaryRecord next) {
    String fresh = name + "_next";
    within(
        sql -> {
          sql.execute(statement(fresh, primary, "copy_data = false, create_slot = false, slot_name = " + name));
          String tables = "select count(*) from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid where s.subname = ";
          try (ResultSet row = sql.executeQuery(tables + quoted(fresh))) {
            row.next();
            requireAll(row.getInt(1));
          }
          sql.execute("alter subscription " + name + " disable");
          sql.execute("alter subscription " + name + " set (slot_name = none)");
          sql.execute("drop subscription " + name);
          sql.execute("alter subscription " + fresh + " rename to " + name);
          try (PreparedStatement followed =
              sql.getConnection().prepareStatement("update otp_followed set epoch = ?, server = ?, whole = true, position = null")) {
            followed.setLong(1, next.epoch());
            followed.setString(2, next.server());
            followed.executeUpdate();
          }
          sql.execute("alter subscription " + name + " enable");
        },
        true);
  }

  /**
   * Lets the subscription connect as one does that is made now: an earlier version may have made it, and the primary may have had another
   * address or password. PostgreSQL compares the connections, and connects again if they differ; a node that is no superuser may not read
   * the present one. Where the password would come into PostgreSQL's log, the connection stays as it is.
   */
  void reconnect(PostgresConfig primary) {
    if (!isThere()) {
      return;
    }
    if (keepsOutOfLog()) {
      alone("alter subscription " + name + " connection " + quoted(connection(primary)));
    } else {
      LOG.info(
          "The subscription keeps the connection that it was made with: grant set on the parameters log_min_error_statement, log_statement "
              + "and log_min_duration_statement to the user, so that its password stays out of PostgreSQL's log");
    }
  }

  private boolean keepsOutOfLog() {
    return jdbc.sql(
            "select has_parameter_privilege('log_min_error_statement', 'set') and has_parameter_privilege('log_statement', 'set')"
                + " and has_parameter_privilege('log_min_duration_statement', 'set')")
        .query(Boolean.class)
        .single();
  }

  private void create(PostgresConfig primary, String options) {
    alone(statement(name, primary, options));
    requireAll(progress().all());
  }

  private String statement(String subscription, PostgresConfig primary, String options) {
    return "create subscription " + subscription + " connection " + quoted(connection(primary)) + " publication " + Replication.PUBLICATIONS
        + " with (" + options + ", enabled = false, binary = true)";
  }

  private static void requireAll(int tables) {
    int needed = Replication.tables().size();
    if (tables != needed) {
      throw new ReplicationRefused(
          "The primary publishes " + tables + " tables, and this server needs " + needed + ": update and start the primary first");
    }
  }

  /** Begins to copy, and to follow. */
  void enable() {
    alone("alter subscription " + name + " enable");
  }

  /** Stops following; the copy stays as it is. */
  void disable() {
    if (isThere()) {
      alone("alter subscription " + name + " disable");
    }
  }

  /** Ends the subscription, whether its primary answers or not; the primary drops its part when it becomes a replica. */
  void unsubscribe() {
    if (isThere()) {
      alone("alter subscription " + name + " disable");
      alone("alter subscription " + name + " set (slot_name = none)");
      alone("drop subscription " + name);
    }
  }

  /** What is executed by one connection. */
  private interface Statements {
    void run(Statement sql) throws SQLException;
  }

  /** Executes a statement that stands outside of transactions, and may take long. */
  private void alone(String statement) {
    within(sql -> sql.execute(statement), false);
  }

  private void within(Statements statements, boolean isTransaction) {
    try (Connection connection = database.dataSource().getConnection()) {
      int before = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST.plusSeconds(5).toMillis()));
      try (Statement sql = connection.createStatement()) {
        sql.execute("set statement_timeout = " + LONGEST.toMillis());
        try {
          keepOutOfLog(sql);
          if (isTransaction) {
            transaction(connection, sql, statements);
          } else {
            statements.run(sql);
          }
        } finally {
          sql.execute("reset all");
        }
      } finally {
        connection.setNetworkTimeout(Runnable::run, before);
      }
    } catch (SQLException e) {
      throw new ReplicationRefused(remedy(e), e);
    }
  }

  private static void transaction(Connection connection, Statement sql, Statements statements) throws SQLException {
    connection.setAutoCommit(false);
    boolean isDone = false;
    try {
      statements.run(sql);
      connection.commit();
      isDone = true;
    } finally {
      if (!isDone) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }

  /** The statement has a password, which PostgreSQL would write into its log if the statement fails, or if it logs all. */
  private static void keepOutOfLog(Statement sql) {
    for (String setting : List.of("log_min_error_statement = panic", "log_statement = none", "log_min_duration_statement = -1")) {
      try {
        sql.execute("set " + setting);
      } catch (SQLException e) {
        LOG.warn(
            "PostgreSQL may write the password of the subscription into its log (set {}: {}): grant set on parameter {} to the user, and "
                + "protect that log", setting, e.getMessage(), setting.substring(0, setting.indexOf(' ')));
      }
    }
  }

  private static String remedy(SQLException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return "42501".equals(e.getSQLState())
        ? message + ": let postgresql.user make subscriptions (PostgreSQL 15: alter role ... superuser; 16: grant pg_create_subscription)"
        : message;
  }

  /**
   * Returns a connection for PostgreSQL's own library: its servers check certificates by their own files of authorities. They heed no
   * {@code connect_timeout}; without one of TCP, a server that is gone without a word is waited for longer than two minutes, and one that
   * is there again is asked up to a minute late.
   */
  private String connection(PostgresConfig primary) {
    String hosts = primary.servers().stream().map(address -> address.getHostString()).collect(Collectors.joining(","));
    String ports = primary.servers().stream().map(address -> String.valueOf(address.getPort())).collect(Collectors.joining(","));
    return "host=" + value(hosts) + " port=" + value(ports) + " dbname=" + value(primary.database()) + " user=" + value(primary.user())
        + " password=" + value(primary.password().value()) + " sslmode=" + (primary.isClear() ? "disable" : "verify-full")
        + " target_session_attrs=read-write keepalives_idle=10 tcp_user_timeout=" + SILENCE.toMillis() + " application_name=" + value(name);
  }

  private static String value(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private static String quoted(String text) {
    return text.contains("\\") ? " E'" + text.replace("\\", "\\\\").replace("'", "''") + "'" : "'" + text.replace("'", "''") + "'";
  }

  /**
   * How far the first copy is.
   *
   * @param tables that have been copied, of {@code all}
   * @param rows that have been read of those that are being copied now
   */
  record Progress(int tables, int all, long rows) {

    boolean isDone() {
      return all > 0 && tables == all;
    }
  }

  Progress progress() {
    long rows = jdbc.sql("select coalesce(sum(tuples_processed), 0) from pg_stat_progress_copy").query(Long.class).single();
    return jdbc.sql(
            "select count(*) filter (where r.srsubstate in ('r', 's')) as done, count(*) as tables from pg_subscription_rel r"
                + " join pg_subscription s on s.oid = r.srsubid where s.subname = ?")
        .param(name)
        .query((row, index) -> new Progress(row.getInt("done"), row.getInt("tables"), rows))
        .single();
  }
}
