package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Replicas that may follow a nominated server with the copy that they have, in its database. Whoever has received the log of the former
 * primary to the same transaction has the same rows; and a slot that is made before the nominated server changes one loses nothing.
 */
final class Followers {

  private final Database nominated;
  private final JdbcClient jdbc;

  Followers(Database nominated) {
    this.nominated = nominated;
    this.jdbc = JdbcClient.create(nominated.dataSource());
  }

  /** Forgets those of a former nomination. */
  void clear() {
    jdbc.sql("delete from otp_follower").update();
  }

  /** Forgets those of this nomination, and drops their slots. */
  void dropAll() {
    List<String> servers = jdbc.sql("select server from otp_follower").query(String.class).list();
    clear();
    servers.forEach(new Slots(nominated)::drop);
  }

  void forget(String server) {
    jdbc.sql("delete from otp_follower where server = ?").param(server).update();
  }

  /** Makes the slot of a replica; the tables are locked still. */
  void add(String server, long epoch, long position) {
    new Slots(nominated).drop(server);
    // It stands in a transaction of its own, which has written nothing.
    long start =
        jdbc.sql("select (lsn - '0/0'::pg_lsn)::bigint from pg_create_logical_replication_slot(?, 'pgoutput')")
            .param(Subscription.name(server))
            .query(Long.class)
            .single();
    DatabaseTransactions.of(nominated)
        .executeWithoutResult(
            status ->
                jdbc.sql("insert into otp_follower (server, epoch, position, slot_start) values (?, ?, ?, ?)")
                    .params(server, epoch, position, start)
                    .update());
  }

  /**
   * Returns whether a replica may go on, if it is at that position of the former primary and its slot waits for it. It may until
   * something was read from the slot: a database that is put back to before it went on would miss that.
   */
  boolean mayFollow(String server, long epoch, long position) {
    return jdbc.sql(
            """
            select exists (
              select 1 from otp_follower f join pg_replication_slots s on s.slot_name = ? || f.server
              where f.server = ? and f.epoch = ? and f.position = ? and not s.active and s.database = current_database()
                and s.wal_status <> 'lost' and s.confirmed_flush_lsn - '0/0'::pg_lsn = f.slot_start)
            """)
        .params(Subscription.PREFIX, server, epoch, position)
        .query(Boolean.class)
        .single();
  }
}
