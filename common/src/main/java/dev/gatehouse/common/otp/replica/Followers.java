package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
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

  void forget(String server) {
    jdbc.sql("delete from otp_follower where server = ?").param(server).update();
  }

  /** Makes the slot of a replica; the tables are locked still. */
  void add(String server, long epoch, long position) {
    new Slots(nominated).drop(server);
    // It stands in a transaction of its own, which has written nothing.
    jdbc.sql("select slot_name from pg_create_logical_replication_slot(?, 'pgoutput')").param(Subscription.name(server)).query(row -> {});
    DatabaseTransactions.of(nominated)
        .executeWithoutResult(
            status ->
                jdbc.sql("insert into otp_follower (server, epoch, position) values (?, ?, ?)").params(server, epoch, position).update());
  }

  /**
   * Takes the leave of a replica to go on, if it is at that position of the former primary and its slot waits for it. It is given once: a
   * database that is put back to before it went on would miss what was read from the slot since.
   */
  boolean take(String server, long epoch, long position) {
    return jdbc.sql(
                """
                delete from otp_follower f using pg_replication_slots s
                where f.server = ? and f.epoch = ? and f.position = ?
                  and s.slot_name = ? || f.server and not s.active and s.database = current_database() and s.wal_status <> 'lost'
                """)
            .params(server, epoch, position, Subscription.PREFIX)
            .update()
        > 0;
  }
}
