package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** The copy of a replica: whether it is whole, of the primary that counts, and young enough to check passcodes by. */
final class ReplicaCopy {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaCopy.class);

  /**
   * What the replica is by its copy.
   *
   * @param why it does not serve; empty if it does
   */
  record Found(ServerState state, String why) {}

  private final PostgresDatabase own;
  private final PrimaryLink link;
  private final Uses uses;
  private final Isolation isolation;
  private final NextPrimary next;
  private final Replication replication;
  private final Subscription subscription;
  private volatile Optional<String> behind = Optional.empty();
  private boolean isResumed;
  private boolean isReconnected;

  /** The primary because of which the subscription to a former one was disabled. */
  private Optional<PrimaryRecord> left = Optional.empty();

  ReplicaCopy(String server, PostgresDatabase own, PrimaryLink link, Uses uses, Isolation isolation) {
    this.own = own;
    this.link = link;
    this.uses = uses;
    this.isolation = isolation;
    this.next = new NextPrimary(server, own);
    this.replication = new Replication(own);
    this.subscription = new Subscription(own, server);
  }

  Found look(PrimaryRecord primary) {
    Optional<PrimaryRecord> followed = replication.followed();
    if (!followed.equals(Optional.of(primary)) && !follows(primary)) {
      return new Found(
          ServerState.OUTDATED,
          primary.server() + " is the primary of one-time passwords since epoch " + primary.epoch() + ", and this server has a copy of "
              + followed.map(PrimaryRecord::server).orElse("none") + ", which it keeps and does not serve: stop this node, and give the "
              + "command ./gatehouse otp push --replace, one replica after the other");
    }
    resume();
    if (!link.leadTo(primary)) {
      return new Found(
          ServerState.COPYING, "The primary of one-time passwords is " + primary.server() + ", which otp.servers does not name");
    }
    reconnect(primary);
    if (!subscription.progress().isDone() || !replication.primary().equals(replication.followed())) {
      return new Found(ServerState.COPYING, "The tokens of the primary are being copied");
    }
    replication.completed(primary);
    return behind.map(why -> new Found(ServerState.BEHIND, why)).orElseGet(() -> new Found(ServerState.REPLICA, ""));
  }

  /** At the start: what began, and was ended by a crash, left the subscription disabled, here for a primary that counts. */
  private void resume() {
    if (!isResumed && subscription.isDisabled()) {
      LOG.warn("The subscription to the primary was disabled, by something that did not end: it is enabled");
      subscription.enable();
    }
    isResumed = true;
  }

  /** At the start: the subscription connects as this version does, and to what otp.servers says now. */
  private void reconnect(PrimaryRecord primary) {
    if (!isReconnected) {
      try {
        subscription.reconnect(link.config(primary));
      } catch (DataAccessException | ReplicationRefused e) {
        // The copy counts all the same.
        LOG.warn("The subscription to the primary keeps the connection that it has: {}", e.getMessage());
      }
      isReconnected = true;
    }
  }

  /**
   * Keeps the copy of the former primary: it is the last one until the operator has seen that the new primary has everything.
   *
   * @return whether it is that of the new primary, too
   */
  private boolean follows(PrimaryRecord primary) {
    // The audit log is loaded there.
    boolean isLed = link.leadTo(primary);
    if (!left.equals(Optional.of(primary))) {
      subscription.disable();
      left = Optional.of(primary);
    }
    return isLed && link.database().filter(there -> next.follow(primary, link.config(primary), there)).isPresent();
  }

  /** Tells the primary of another copy that this server is there. */
  void tellOutdated() {
    link.tell(ServerState.OUTDATED, uses, isolation);
  }

  /** Tells the primary how far this server is; returns what has changed, for the audit log. */
  Optional<String> tell(ServerState state, Instant now) {
    Optional<Instant> heard = link.tell(state, uses, isolation);
    Optional<String> late = Heartbeat.problem(new Heartbeat(own).last(), heard, now);
    boolean isChanged = late.isPresent() != behind.isPresent();
    behind = late;
    return isChanged ? Optional.of(late.isPresent() ? "behind" : "caught-up") : Optional.empty();
  }
}
