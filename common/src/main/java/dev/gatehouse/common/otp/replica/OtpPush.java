package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.otp.replica.OtherServers.Primary;
import dev.gatehouse.common.otp.replica.Subscription.Progress;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Brings a replica up from nothing: its database becomes a subscriber of the primary's, and copies what that has. */
public final class OtpPush {

  private static final int PAUSE_MILLIS = 100;
  private static final Duration TOLD_EVERY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final OtpServerConfig config;
  private final PostgresDatabase own;
  private final Replication replication;
  private final Subscription subscription;

  /** @param own the database of the replica, whose tables are made */
  public OtpPush(OtpServerConfig config, PostgresDatabase own) {
    this.config = config;
    this.own = own;
    this.replication = new Replication(own);
    this.subscription = new Subscription(own, config.server());
  }

  /**
   * Copies everything.
   *
   * @param replaces whether tables that are not empty are emptied first
   * @throws ReplicationRefused if nothing was begun, or the copy does not go on; the message says why
   */
  public void run(boolean replaces, Consumer<String> progress) throws InterruptedException {
    requireReplica(config);
    List<String> running = NodeTable.running(own);
    if (!running.isEmpty()) {
      throw new ReplicationRefused(
          "Nodes of this server run: " + String.join("; ", running) + ". Stop them first; one that was killed counts for 10 s.");
    }
    if (replication.isFilled() && !replaces) {
      throw new ReplicationRefused(
          "The database of this server is not empty: with --replace its tokens, keys and configuration are replaced by those of the "
              + "primary");
    }
    try (Primary primary =
        OtherServers.primary(config)
            .orElseThrow(
                () ->
                    new ReplicationRefused(
                        "None of " + config.servers().keySet() + " answers and is a primary: start the primary first"))) {
      Replication there = new Replication(primary.database());
      replication.followed()
          .filter(followed -> followed.follows(primary.record()))
          .ifPresent(
              followed -> {
                throw new ReplicationRefused(
                    "This server has learnt that " + followed.server() + " is the primary since epoch " + followed.epoch()
                        + ", and only " + primary.record().server() + " of epoch " + primary.record().epoch()
                        + " answers: its tokens are older. Start " + followed.server() + " first");
              });
      there.unpublishable().or(() -> new Slots(primary.database()).unbounded()).ifPresent(reason -> {
        throw new ReplicationRefused(reason);
      });
      progress.accept(
          "Copying " + Replication.tables().size() + " tables of " + primary.record().server() + " (epoch " + primary.record().epoch()
              + ") with about " + there.rows() + " rows");
      begin(primary);
      await(progress, primary.record());
    }
  }

  /** Returns the server whose database it is, or of which it is a copy; empty if it is no part of several servers. */
  public static Optional<String> server(PostgresDatabase own) {
    return new Replication(own).primary().map(PrimaryRecord::server);
  }

  /** Returns whether that database of a replica has a whole copy, or had one. */
  public static boolean isDone(PostgresDatabase own) {
    Replication replication = new Replication(own);
    return replication.primary().or(replication::followed).isPresent() && replication.isWhole();
  }

  static void requireReplica(OtpServerConfig config) {
    if (!config.isReplica()) {
      throw new ReplicationRefused("This server is the primary (otp.role): the command is for replicas");
    }
  }

  private void begin(Primary primary) {
    String server = config.server();
    if (replication.isFilled()) {
      new Uses(own).bring(primary.database());
    }
    subscription.unsubscribe();
    replication.unpublish();
    new Slots(own).dropUnread();
    new Slots(primary.database()).drop(server);
    // What would fail fails here, while the former copy is still there.
    subscription.prepare(primary.config());
    replication.guard();
    replication.begin(primary.record());
    subscription.enable();
  }

  private void await(Consumer<String> progress, PrimaryRecord primary) throws InterruptedException {
    long begun = System.nanoTime();
    long told = begun;
    long moved = begun;
    Progress last = new Progress(0, 0, 0);
    while (true) {
      Progress now = subscription.progress();
      long nanos = System.nanoTime();
      if (now.isDone()) {
        replication.completed(primary);
        progress.accept(
            "Copied " + now.all() + " tables of " + primary.server() + " (epoch " + primary.epoch() + ") in " + (nanos - begun) / 1_000_000
                + " ms. Start the node.");
        return;
      }
      if (!now.equals(last)) {
        moved = nanos;
        last = now;
      }
      if (nanos - moved > PATIENCE.toNanos()) {
        throw new ReplicationRefused(
            "Nothing was copied for " + PATIENCE.toMinutes() + " minutes: see the log of PostgreSQL of this server");
      }
      if (nanos - told > TOLD_EVERY.toNanos()) {
        told = nanos;
        progress.accept(now.tables() + " of " + now.all() + " tables are copied, and " + now.rows() + " rows of the next");
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
