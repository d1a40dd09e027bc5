package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The replicas of a primary, in its database: what they said, and what PostgreSQL knows of how far they follow. */
public final class ServerTable {

  private static final String PREFIX = Replication.subscription("");

  /**
   * A replica.
   *
   * @param bytes of the primary's log that it has not confirmed; empty if the primary keeps nothing for it
   * @param seconds how far it was behind when it said so last; empty if it follows without delay, or does not follow
   * @param following whether it is connected
   * @param usesWaiting uses of tokens that the primary does not have yet
   * @param marksWaiting marks of used codes that the other servers do not have yet
   * @param seenAt when it told; empty if it never did
   */
  public record Replica(
      String server, Optional<Long> bytes, Optional<Double> seconds, boolean following, Optional<Long> epoch, long usesWaiting,
      long marksWaiting, Optional<Instant> seenAt) {}

  private final JdbcClient jdbc;

  public ServerTable(Database primary) {
    this.jdbc = JdbcClient.create(primary.dataSource());
  }

  void tell(String server, long epoch, long usesWaiting, long marksWaiting) {
    jdbc.sql(
            """
            insert into otp_server (server, epoch, uses_waiting, marks_waiting, seen_at) values (?, ?, ?, ?, now())
            on conflict (server) do update set epoch = excluded.epoch, uses_waiting = excluded.uses_waiting,
              marks_waiting = excluded.marks_waiting, seen_at = excluded.seen_at
            """)
        .params(server, epoch, usesWaiting, marksWaiting)
        .update();
  }

  /** Returns the replicas by name. */
  public List<Replica> replicas() {
    return jdbc.sql(
            """
            select coalesce(o.server, substr(s.slot_name, length(?) + 1)) as name,
              pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)::bigint as bytes,
              extract(epoch from r.replay_lag)::double precision as seconds, r.pid is not null as following,
              o.epoch, coalesce(o.uses_waiting, 0) as uses_waiting, coalesce(o.marks_waiting, 0) as marks_waiting, o.seen_at
            from otp_server o
            full join (select * from pg_replication_slots where database = current_database() and starts_with(slot_name, ?)
              and slot_type = 'logical' and not temporary and slot_name !~ '^pg_') s on s.slot_name = ? || o.server
            left join pg_stat_replication r on r.pid = s.active_pid
            order by 1
            """)
        .params(PREFIX, PREFIX, PREFIX)
        .query((row, index) -> replica(row))
        .list();
  }

  private static Replica replica(ResultSet row) throws SQLException {
    @Nullable OffsetDateTime seen = row.getObject("seen_at", OffsetDateTime.class);
    return new Replica(
        row.getString("name"), Optional.ofNullable(row.getObject("bytes", Long.class)),
        Optional.ofNullable(row.getObject("seconds", Double.class)), row.getBoolean("following"),
        Optional.ofNullable(row.getObject("epoch", Long.class)), row.getLong("uses_waiting"), row.getLong("marks_waiting"),
        Optional.ofNullable(seen).map(OffsetDateTime::toInstant));
  }
}
