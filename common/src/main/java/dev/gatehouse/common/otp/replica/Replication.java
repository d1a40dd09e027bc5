package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What the primary publishes to replicas by PostgreSQL's own logical replication, and whose copy a database is. The tables of a replica
 * refuse every change that does not come from the primary.
 */
final class Replication {

  private static final String PUBLICATION = "gatehouse_otp";
  private static final String TOKENS_PUBLICATION = "gatehouse_otp_tokens";

  /** Both publications, as a subscription names them. */
  static final String PUBLICATIONS = PUBLICATION + ", " + TOKENS_PUBLICATION;

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_6f747073L;

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

  /** Returns about how many rows a replica copies, as PostgreSQL estimates. */
  long rows() {
    return jdbc.sql(
            "select coalesce(sum(greatest(c.reltuples, s.n_live_tup, 0)), 0)::bigint from pg_class c"
                + " left join pg_stat_user_tables s on s.relid = c.oid"
                + " where c.relkind = 'r' and pg_table_is_visible(c.oid) and c.relname in (:tables)")
        .param("tables", tables())
        .query(Long.class)
        .single();
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

  /** Returns whether this database has a row that comes from a primary. */
  boolean isFilled() {
    return tables().stream().anyMatch(table -> jdbc.sql("select exists (select 1 from " + table + ")").query(Boolean.class).single());
  }

  /** Lets nobody but the subscription change the tables. */
  void guard() {
    tables().forEach(this::guard);
  }

  /** No moment without a guard, where there was one. */
  private void guard(String table) {
    String all = "insert or delete or update";
    String changes = table.equals("deployment") ? all + " of id, name, master_key_proof, keys_version, key_files" : all;
    jdbc.sql(
            "create or replace trigger replica before " + changes + " on " + table
                + " for each row execute function gatehouse_replica()")
        .update();
  }

  /** Lets sessions change the tables again. */
  void unguard() {
    jdbc.sql("select tgrelid::regclass::text from pg_trigger where tgname = 'replica'").query(String.class).list().forEach(this::unguard);
  }

  private void unguard(String table) {
    jdbc.sql("drop trigger if exists replica on " + table).update();
  }

  /**
   * Lets nobody change the tables any more, and then writes a last heartbeat: who has it has everything. A node that still runs writes none
   * meanwhile: its own waits for the table, and finds the guard.
   */
  Optional<Instant> finish() {
    guard();
    Heartbeat heartbeat = new Heartbeat(database);
    DatabaseTransactions.of(database)
        .executeWithoutResult(
            status -> {
              unguard(Heartbeat.TABLE);
              heartbeat.beat();
              guard(Heartbeat.TABLE);
            });
    return heartbeat.last();
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

  /** Keeps where the copy ends in the log of its primary, from which nothing comes any more. */
  void position(long position) {
    jdbc.sql("update otp_followed set position = ? where position is distinct from ?").params(position, position).update();
  }

  /** Returns where the copy ends, if something had begun that would have ended the subscription. */
  Optional<Long> position() {
    return jdbc.sql("select position from otp_followed where position is not null").query(Long.class).optional();
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
                + " set epoch = excluded.epoch, server = excluded.server, whole = false, position = null")
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
