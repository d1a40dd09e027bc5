package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The slots of replicas in the database of a primary: unread, they keep its log until the disk is full. */
final class Slots {

  private static final String OURS =
      " from pg_replication_slots where database = current_database() and starts_with(slot_name, ?) and slot_type = 'logical'"
          + " and not temporary";

  private final JdbcClient jdbc;

  Slots(Database primary) {
    this.jdbc = JdbcClient.create(primary.dataSource());
  }

  /** Removes those that nobody reads now. */
  void dropUnread() {
    jdbc.sql("select pg_drop_replication_slot(slot_name)" + OURS + " and not active")
        .param(Subscription.PREFIX)
        .query(row -> {});
  }

  /** Removes what a replica of that name left at this primary before it was made anew. */
  void drop(String server) {
    jdbc.sql("select pg_drop_replication_slot(slot_name)" + OURS + " and not active and slot_name = ?")
        .params(Subscription.PREFIX, Subscription.name(server))
        .query(row -> {});
  }

  /** Returns slots of servers that are not configured. */
  List<String> unknown(Collection<String> servers) {
    List<String> known = servers.stream().map(Subscription::name).toList();
    // PostgreSQL names those of a first copy pg_*_sync_*.
    return jdbc.sql("select slot_name" + OURS).param(Subscription.PREFIX).query(String.class).list().stream()
        .filter(slot -> !known.contains(slot))
        .toList();
  }

  /** Returns how many bytes of the log the farthest one keeps. */
  long retained() {
    return jdbc.sql("select coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::bigint" + OURS)
        .param(Subscription.PREFIX)
        .query(Long.class)
        .single();
  }

  /** Returns how many bytes of the log a slot that nobody reads may keep; empty if that has no end. */
  Optional<Long> bound() {
    // In megabytes.
    long most = jdbc.sql("select setting::bigint from pg_settings where name = 'max_slot_wal_keep_size'").query(Long.class).single();
    return most < 0 ? Optional.empty() : Optional.of(most << 20);
  }

  /** Returns why no slot may be made here, as a sentence; empty if they have a bound. */
  Optional<String> unbounded() {
    return bound().isPresent()
        ? Optional.empty()
        : Optional.of(
            "PostgreSQL of the primary has max_slot_wal_keep_size = -1: a replica that is gone would keep its log until the disk is full. "
                + "Set a bound (alter system set max_slot_wal_keep_size = '10GB'; select pg_reload_conf()); a replica that was away for more is "
                + "brought up anew");
  }
}
