package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.otp.replica.OtherServers.Primary;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** The primary in whose place a replica is nominated: what it has and did not send would be lost without need. */
final class FormerPrimary {

  private static final Logger LOG = LoggerFactory.getLogger(FormerPrimary.class);
  private static final int PAUSE_MILLIS = 100;
  private static final Duration UNTIL_DRAINED = Duration.ofSeconds(60);

  /** Heartbeats are written once a second: by them, so many seconds are no difference. */
  static final long BY_TIME = 2;

  private final OtpServerConfig config;
  private final PostgresDatabase own;
  private final PrimaryRecord former;

  FormerPrimary(OtpServerConfig config, PostgresDatabase own, PrimaryRecord former) {
    this.config = config;
    this.own = own;
    this.former = former;
  }

  private Optional<Primary> ask() {
    return Optional.ofNullable(config.servers().get(former.server())).flatMap(database -> OtherServers.ask(former.server(), database));
  }

  /** Refuses while nodes of it run; returns whether its database answers. */
  boolean requireStopped() {
    try (Primary primary = ask().orElse(null)) {
      List<String> running = primary == null ? List.of() : NodeTable.running(primary.database());
      if (!running.isEmpty()) {
        throw new ReplicationRefused(
            "The primary " + former.server() + " runs: " + String.join("; ", running)
                + ". Stop its nodes first; one that was killed counts for 10 s.");
      }
      return primary != null;
    }
  }

  /**
   * Refuses if another replica that answers has more of it, or may have.
   *
   * @param isRead whether this server gets what it has first
   * @param comparesByTime whether heartbeats are enough where it is not known which of two replicas has more
   */
  void requireFreshest(OtherReplicas others, boolean isRead, boolean comparesByTime) {
    Instant copied = new Heartbeat(own).last().orElse(Instant.EPOCH);
    Optional<Long> position = new Subscription(own, config.server()).position();
    others.forEach(
        (name, database) -> {
          Optional<Instant> there = new Heartbeat(database).last();
          // While the primary runs or its log is read, one second is nothing.
          if (there.filter(last -> Duration.between(copied, last).toSeconds() > BY_TIME).isPresent()) {
            throw newer(name, there.get() + "; here " + copied);
          }
          Optional<Long> other = new Subscription(database, name).position();
          if (isRead) {
            return;
          }
          if (position.isEmpty() || other.isEmpty()) {
            requireByTime(name, position.isEmpty() ? config.server() : name, comparesByTime);
          } else if (other.get() > position.get()) {
            throw newer(name, "by " + (other.get() - position.get()) + " bytes of the former primary's log");
          }
        });
  }

  private static void requireByTime(String name, String silent, boolean comparesByTime) {
    if (!comparesByTime) {
      throw new ReplicationRefused(
          "It cannot be known whether " + name + " has more than this server: PostgreSQL of " + silent
              + " does not tell how far its copy is in the former primary's log (it needs select on pg_replication_origin_status and execute "
              + "on pg_show_replication_origin_status(), and a first transaction after the copy). With --by-time heartbeats decide: changes "
              + "of up to " + BY_TIME + " s before the former primary was lost may then be lost although " + name + " has them");
    }
  }

  private static ReplicationRefused newer(String name, String why) {
    return new ReplicationRefused(
        "The copy of " + name + " is newer (" + why + "): nominate that one, or stop its PostgreSQL to lose what only it has");
  }

  private static String text(Optional<Instant> last) {
    return last.map(Object::toString).orElse("none");
  }

  /** Lets nobody change it any more, and waits until this server has what it has; does nothing if it does not answer. */
  void drain() {
    try (Primary primary = ask().orElse(null)) {
      if (primary == null) {
        return;
      }
      Replication there = new Replication(primary.database());
      Heartbeat heartbeat = new Heartbeat(own);
      Optional<Instant> last = there.finish();
      long until = System.nanoTime() + UNTIL_DRAINED.toNanos();
      while (!heartbeat.last().equals(last)) {
        if (System.nanoTime() > until) {
          there.unguard();
          throw new ReplicationRefused(
              former.server() + " answers, and this server does not get what it has (last heartbeat there " + text(last)
                  + ", here " + text(heartbeat.last())
                  + "): see the log of PostgreSQL here, or stop PostgreSQL of " + former.server() + " to do without that");
        }
        pause(PAUSE_MILLIS);
      }
    }
  }

  /** Lets it be changed again, after a nomination that was taken back. */
  void release() {
    try (Primary primary = ask().orElse(null)) {
      if (primary != null) {
        new Replication(primary.database()).unguard();
      }
    }
  }

  /** Tells it who is the primary now, if it answers still; it learns it at its start in any case. */
  void fence(PrimaryRecord next) {
    try (Primary primary = ask().orElse(null)) {
      if (primary != null) {
        new Replication(primary.database()).followed(next);
      }
    } catch (DataAccessException e) {
      LOG.info("{} is away again, and learns at its start that it was replaced", former.server(), e);
    }
  }

  /** Waits before something is asked again. */
  static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReplicationRefused("Interrupted");
    }
  }
}
