package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.otp.replica.OtpServer.State;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.Instant;
import java.util.Optional;

/** The copy of a replica: whether it is whole, of the primary that counts, and young enough to check passcodes by. */
final class ReplicaCopy {

  /**
   * What the replica is by its copy.
   *
   * @param why it does not serve; empty if it does
   */
  record Found(State state, String why) {}

  private final String server;
  private final PostgresDatabase own;
  private final PrimaryLink link;
  private final Uses uses;
  private final Isolation isolation;
  private final Replication replication;
  private volatile Optional<String> behind = Optional.empty();
  private boolean left;

  ReplicaCopy(String server, PostgresDatabase own, PrimaryLink link, Uses uses, Isolation isolation) {
    this.server = server;
    this.own = own;
    this.link = link;
    this.uses = uses;
    this.isolation = isolation;
    this.replication = new Replication(own);
  }

  Found look(PrimaryRecord primary) {
    Optional<PrimaryRecord> followed = replication.followed();
    if (!followed.equals(Optional.of(primary))) {
      leave(primary);
      return new Found(
          State.OUTDATED,
          primary.server() + " is the primary of one-time passwords since epoch " + primary.epoch() + ", and this server has a copy of "
              + followed.map(PrimaryRecord::server).orElse("none") + ", which it keeps and does not serve: stop this node, and give the "
              + "command ./gatehouse otp push --replace, one replica after the other");
    }
    if (!link.leadTo(primary)) {
      return new Found(
          State.COPYING, "The primary of one-time passwords is " + primary.server() + ", which otp.servers does not name");
    }
    if (!replication.progress(server).isDone() || !replication.primary().equals(followed)) {
      return new Found(State.COPYING, "The tokens of the primary are being copied");
    }
    replication.completed(primary);
    return behind.map(why -> new Found(State.BEHIND, why)).orElseGet(() -> new Found(State.REPLICA, ""));
  }

  /** Keeps the copy of the former primary: it is the last one until the operator has seen that the new primary has everything. */
  private void leave(PrimaryRecord primary) {
    // The audit log is loaded there.
    link.leadTo(primary);
    if (!left) {
      replication.disable(server);
      left = true;
    }
  }

  /** Tells the primary how far this server is; returns what has changed, for the audit log. */
  Optional<String> tell(Instant now) {
    Optional<Instant> heard = link.tell(uses, isolation);
    Optional<String> late = Heartbeat.problem(new Heartbeat(own).last(), heard, now);
    boolean isChanged = late.isPresent() != behind.isPresent();
    behind = late;
    return isChanged ? Optional.of(late.isPresent() ? "behind" : "caught-up") : Optional.empty();
  }
}
