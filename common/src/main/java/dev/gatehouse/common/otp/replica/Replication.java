package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.node.PostgresConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The publication of the primary and the subscription of a replica, in PostgreSQL's own logical replication. The tables of a replica
 * refuse every change that does not come from the primary.
 */
final class Replication {

  private static final Logger LOG = LoggerFactory.getLogger(Replication.class);

  static final String PUBLICATION = "gatehouse_otp";

  private static final String TOKENS_PUBLICATION = "gatehouse_otp_tokens";
  static final String SUBSCRIPTION_PREFIX = "gatehouse_otp_";

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_6f747073L;

  /** Connecting to the primary, and waiting there for the transactions that run. */
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** What a node needs to start: whose database it is, the keys and the configuration. */
  private static final List<String> CONFIGURATION =
      List.of(
          "installation", "deployment", "key_file", "configuration_revision", "configuration_content", "configuration_file",
          "configuration_in_use", "configuration_secret");

  /** What passcodes are checked by. */
  private static final List<String> TOKENS = List.of("otp_primary", Heartbeat.TABLE, "otp_token", "otp_person", "otp_emergency");

  /** Each server has its own sequence of the other store. */
  private static final String DEPLOYMENT = "deployment (id, name, master_key_proof, keys_version, key_files)";

  private final Database database;
  private final JdbcClient jdbc;

  Replication(Database database) {
    this.database = database;
    this.jdbc = JdbcClient.create(database.dataSource());
  }

  static List<String> tables() {
    List<String> all = new ArrayList<>(CONFIGURATION);
    all.addAll(TOKENS);
    return all;
  }

  /** Returns why replicas cannot follow this database, as a sentence; empty if they can. */
  Optional<String> unpublishable() {
    String level = jdbc.sql("select current_setting('wal_level')").query(String.class).single();
    int version = jdbc.sql("select current_setting('server_version_num')::int").query(Integer.class).single();
    if (!level.equals("logical")) {
      return Optional.of("PostgreSQL of the primary has wal_level = " + level + ": set wal_level = logical, and restart it");
    }
    return version < 150_000
        ? Optional.of("PostgreSQL of the primary is of version " + version / 10_000 + ": replicas need version 15 or later")
        : Optional.empty();
  }

  /** Makes the publications unless they are there with all tables. */
  void publish() {
    // One node at a time.
    DatabaseTransactions.of(database)
        .executeWithoutResult(
            status -> {
              jdbc.sql("select pg_advisory_xact_lock(?)").param(LOCK).query(row -> {});
              publish(PUBLICATION, CONFIGURATION);
              publish(TOKENS_PUBLICATION, TOKENS);
            });
  }

  private void publish(String name, List<String> tables) {
    if (jdbc.sql("select count(*) from pg_publication where pubname = ?").param(name).query(Integer.class).single() == 0) {
      String all = tables.stream().map(Replication::columns).collect(Collectors.joining(", "));
      jdbc.sql("create publication " + name + " for table " + all).update();
      return;
    }
    List<String> there =
        jdbc.sql("select tablename from pg_publication_tables where pubname = ?").param(name).query(String.class).list();
    tables.stream()
        .filter(table -> !there.contains(table))
        .forEach(table -> jdbc.sql("alter publication " + name + " add table " + columns(table)).update());
  }

  private static String columns(String table) {
    return table.equals("deployment") ? DEPLOYMENT : table;
  }

  /** Ends what a former primary publishes. */
  void unpublish() {
    jdbc.sql("drop publication if exists " + PUBLICATION).update();
    jdbc.sql("drop publication if exists " + TOKENS_PUBLICATION).update();
  }

  static String subscription(String server) {
    return SUBSCRIPTION_PREFIX + server;
  }

  boolean isSubscribed(String server) {
    return jdbc.sql("select count(*) from pg_subscription where subname = ?").param(subscription(server)).query(Integer.class).single() > 0;
  }

  /** Returns whether this database has a row that comes from a primary. */
  boolean isFilled() {
    return tables().stream().anyMatch(table -> jdbc.sql("select exists (select 1 from " + table + ")").query(Boolean.class).single());
  }

  /** Lets nobody but the subscription change the tables. */
  void guard() {
    for (String table : tables()) {
      String all = "insert or delete or update";
      String changes = table.equals("deployment") ? all + " of id, name, master_key_proof, keys_version, key_files" : all;
      jdbc.sql("drop trigger if exists replica on " + table).update();
      jdbc.sql("create trigger replica before " + changes + " on " + table + " for each row execute function gatehouse_replica()").update();
    }
  }

  /** Lets sessions change the tables again. */
  void unguard() {
    jdbc.sql("select tgrelid::regclass::text from pg_trigger where tgname = 'replica'").query(String.class).list().forEach(this::unguard);
  }

  private void unguard(String table) {
    jdbc.sql("drop trigger if exists replica on " + table).update();
  }

  /** Lets nobody change the tables any more, and then writes a last heartbeat: who has it has everything. */
  Optional<Instant> finish() {
    guard();
    unguard(Heartbeat.TABLE);
    Heartbeat heartbeat = new Heartbeat(database);
    heartbeat.beat();
    Optional<Instant> last = heartbeat.last();
    guard();
    return last;
  }

  /**
   * Subscribes to all tables without beginning to copy. PostgreSQL connects to the primary for it and makes a slot there: what would
   * prevent the copy is found while this server still has its former one.
   */
  void prepare(String server, PostgresConfig primary) {
    alone(
        "create subscription " + subscription(server) + " connection " + quoted(connection(primary, server)) + " publication "
            + PUBLICATION + ", " + TOKENS_PUBLICATION + " with (copy_data = true, enabled = false, binary = true)");
    int tables = progress(server).all();
    if (tables != tables().size()) {
      throw new ReplicationRefused(
          "The primary publishes " + tables + " tables, and this server needs " + tables().size() + ": update and start the primary first");
    }
  }

  /** Begins to copy, and to follow. */
  void enable(String server) {
    alone("alter subscription " + subscription(server) + " enable");
  }

  /** Stops following; the copy stays as it is. */
  void disable(String server) {
    if (isSubscribed(server)) {
      alone("alter subscription " + subscription(server) + " disable");
    }
  }

  /** Ends the subscription, whether its primary answers or not; the primary drops its part when it becomes a replica. */
  void unsubscribe(String server) {
    if (isSubscribed(server)) {
      String name = subscription(server);
      alone("alter subscription " + name + " disable");
      alone("alter subscription " + name + " set (slot_name = none)");
      alone("drop subscription " + name);
    }
  }

  /** Gives the copy of a primary up for that of another one, which is not whole yet. */
  void begin(PrimaryRecord primary) {
    DatabaseTransactions.of(database)
        .executeWithoutResult(
            status -> {
              jdbc.sql("truncate " + String.join(", ", tables())).update();
              jdbc.sql("delete from otp_followed").update();
              jdbc.sql("insert into otp_followed (id, epoch, server, whole) values (1, ?, ?, false)")
                  .params(primary.epoch(), primary.server())
                  .update();
            });
  }

  /** Everything was copied once. */
  void completed(PrimaryRecord primary) {
    jdbc.sql("update otp_followed set whole = true where epoch = ? and server = ? and not whole")
        .params(primary.epoch(), primary.server())
        .update();
  }

  /** Returns whether everything of the followed primary was copied once. */
  boolean isComplete() {
    return jdbc.sql("select exists (select 1 from otp_followed where whole)").query(Boolean.class).single() && isWhole();
  }

  /** Executes statements that stand outside of transactions, and may take long. */
  private void alone(String statement) {
    try (Connection connection = database.dataSource().getConnection()) {
      int before = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST.plusSeconds(5).toMillis()));
      try (Statement sql = connection.createStatement()) {
        sql.execute("set statement_timeout = " + LONGEST.toMillis());
        try {
          keepOutOfLog(sql);
          sql.execute(statement);
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

  /** Returns a connection for PostgreSQL's own library: its servers check certificates by their own files of authorities. */
  static String connection(PostgresConfig primary, String server) {
    String hosts = primary.servers().stream().map(address -> address.getHostString()).collect(Collectors.joining(","));
    String ports = primary.servers().stream().map(address -> String.valueOf(address.getPort())).collect(Collectors.joining(","));
    return "host=" + value(hosts) + " port=" + value(ports) + " dbname=" + value(primary.database()) + " user=" + value(primary.user())
        + " password=" + value(primary.password().value()) + " sslmode=" + (primary.isClear() ? "disable" : "verify-full")
        + " target_session_attrs=read-write connect_timeout=5 keepalives_idle=10 application_name=" + value(subscription(server));
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

  Progress progress(String server) {
    long rows = jdbc.sql("select coalesce(sum(tuples_processed), 0) from pg_stat_progress_copy").query(Long.class).single();
    return jdbc.sql(
            "select count(*) filter (where r.srsubstate in ('r', 's')) as done, count(*) as tables from pg_subscription_rel r"
                + " join pg_subscription s on s.oid = r.srsubid where s.subname = ?")
        .param(subscription(server))
        .query((row, index) -> new Progress(row.getInt("done"), row.getInt("tables"), rows))
        .single();
  }

  /** Returns whether the database knows whose it is, and the first copy of the configuration ended. */
  boolean isWhole() {
    return jdbc.sql(
            "select exists (select 1 from deployment) and exists (select 1 from installation)"
                + " and exists (select 1 from configuration_in_use)")
        .query(Boolean.class)
        .single();
  }

  Optional<PrimaryRecord> primary() {
    return record("otp_primary");
  }

  Optional<PrimaryRecord> followed() {
    return record("otp_followed");
  }

  private Optional<PrimaryRecord> record(String table) {
    return jdbc.sql("select epoch, server from " + table)
        .query((row, index) -> new PrimaryRecord(row.getLong("epoch"), row.getString("server")))
        .optional();
  }

  void primary(PrimaryRecord record) {
    jdbc.sql(
            "insert into otp_primary (id, epoch, server) values (1, ?, ?) on conflict (id) do update set epoch = excluded.epoch,"
                + " server = excluded.server")
        .params(record.epoch(), record.server())
        .update();
  }

  /** Keeps at a former primary who is the primary now; its own rows are not a copy of that. */
  void followed(PrimaryRecord record) {
    jdbc.sql(
            "insert into otp_followed (id, epoch, server, whole) values (1, ?, ?, false) on conflict (id) do update"
                + " set epoch = excluded.epoch, server = excluded.server, whole = false")
        .params(record.epoch(), record.server())
        .update();
  }

  /** Forgets whom this server followed; returns who that was. */
  Optional<PrimaryRecord> unfollow() {
    Optional<PrimaryRecord> former = followed();
    jdbc.sql("delete from otp_followed").update();
    return former;
  }
}
