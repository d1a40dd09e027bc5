package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.node.OtpServerConfig;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The replicas of a primary, in its database: what they said, and what PostgreSQL knows of how far they follow. */
public final class ServerTable {

  private static final String PREFIX = Subscription.PREFIX;

  /**
   * A replica.
   *
   * @param slot what the primary keeps for it; empty if nothing
   * @param told what it told about itself; empty if it never did
   */
  public record Replica(String server, Optional<Slot> slot, Optional<Told> told) {}

  /**
   * How far a replica is by what PostgreSQL of the primary knows.
   *
   * @param behind bytes of the log that the replica has not confirmed
   * @param seconds how far it was behind when it said so last; empty if it follows without delay, or does not follow
   * @param retained bytes of the log that are kept for it on the primary's disk
   * @param isLost whether the log that it needs was removed, so that it has to be brought up anew
   */
  public record Slot(long behind, Optional<Double> seconds, boolean isConnected, long retained, boolean isLost) {}

  /**
   * What a replica told.
   *
   * @param state the name of {@link ServerState}; empty if its version does not tell
   * @param isolatedAt since when it goes on with marks of its own
   * @param usesWaiting uses of tokens that the primary does not have yet
   * @param marksWaiting marks of used codes that the other servers do not have yet
   */
  public record Told(
      Instant at, long epoch, String state, Optional<Instant> isolatedAt, long usesWaiting, long marksWaiting) {}

  private final JdbcClient jdbc;

  public ServerTable(Database primary) {
    this.jdbc = JdbcClient.create(primary.dataSource());
  }

  /** Tells; a primary of a former version, which is updated last, has no columns for state and isolation. */
  void tell(String server, Told told) {
    jdbc.sql(
            """
            insert into otp_server (server, epoch, uses_waiting, marks_waiting, seen_at) values (?, ?, ?, ?, now())
            on conflict (server) do update set epoch = excluded.epoch, uses_waiting = excluded.uses_waiting,
              marks_waiting = excluded.marks_waiting, seen_at = excluded.seen_at
            """)
        .params(server, told.epoch(), told.usesWaiting(), told.marksWaiting())
        .update();
    if (hasStates()) {
      jdbc.sql("update otp_server set state = ?, isolated_at = ? where server = ?")
          .params(told.state(), Counts.time(told.isolatedAt()), server)
          .update();
    }
  }

  private boolean hasStates() {
    return jdbc.sql(
            "select exists (select 1 from pg_attribute where attrelid = 'otp_server'::regclass and attname = 'isolated_at' and attnum > 0)")
        .query(Boolean.class)
        .single();
  }

  void forget(String server) {
    jdbc.sql("delete from otp_server where server = ?").param(server).update();
  }

  /** Returns the replicas by name; at the database of the primary only. */
  public List<Replica> replicas() {
    String states = hasStates() ? "o.state, o.isolated_at" : "'' as state, null::timestamp with time zone as isolated_at";
    return jdbc.sql(
            """
            select coalesce(o.server, substr(s.slot_name, length(?) + 1)) as name, s.slot_name is not null as has_slot,
              coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn), 0)::bigint as behind,
              coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn), 0)::bigint as retained,
              coalesce(s.wal_status = 'lost', false) as is_lost,
              extract(epoch from r.replay_lag)::double precision as seconds, r.pid is not null as following,
              o.epoch, o.uses_waiting, o.marks_waiting, o.seen_at, %s
            from otp_server o
            full join (select * from pg_replication_slots where database = current_database() and starts_with(slot_name, ?)
              and slot_type = 'logical' and not temporary and slot_name !~ '^pg_') s on s.slot_name = ? || o.server
            left join pg_stat_replication r on r.pid = s.active_pid
            order by 1
            """
                .formatted(states))
        .params(PREFIX, PREFIX, PREFIX)
        .query((row, index) -> replica(row))
        .list();
  }

  /** Returns the replicas by name, also those that are configured and were never brought up; at the database of the primary only. */
  List<Replica> replicas(OtpServerConfig config, PrimaryRecord primary) {
    List<Replica> all = new ArrayList<>(replicas());
    config.servers().keySet().stream()
        .filter(name -> !name.equals(primary.server()) && all.stream().noneMatch(one -> one.server().equals(name)))
        .forEach(name -> all.add(new Replica(name, Optional.empty(), Optional.empty())));
    all.sort(Comparator.comparing(Replica::server));
    return all;
  }

  private static Replica replica(ResultSet row) throws SQLException {
    Optional<Slot> slot =
        row.getBoolean("has_slot")
            ? Optional.of(
                new Slot(
                    row.getLong("behind"), Optional.ofNullable(row.getObject("seconds", Double.class)), row.getBoolean("following"),
                    row.getLong("retained"), row.getBoolean("is_lost")))
            : Optional.empty();
    return new Replica(row.getString("name"), slot, told(row));
  }

  private static Optional<Told> told(ResultSet row) throws SQLException {
    Optional<Instant> seen = instant(row, "seen_at");
    return seen.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Told(
                seen.get(), row.getLong("epoch"), row.getString("state"), instant(row, "isolated_at"), row.getLong("uses_waiting"),
                row.getLong("marks_waiting")));
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
  }
}
