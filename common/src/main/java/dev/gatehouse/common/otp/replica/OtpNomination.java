package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.store.Stores;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.springframework.dao.DataAccessException;

/**
 * Makes a replica the primary after the primary was lost. The epoch rises first, in the store that all servers use: from then on the
 * former primary changes and accepts nothing, if it comes back.
 */
public final class OtpNomination {

  private static final Duration SETTLED = Duration.ofSeconds(2);
  private static final int PAUSE_MILLIS = 20;

  private final OtpServerConfig config;
  private final PostgresDatabase own;
  private final Replication replication;
  private final Subscription subscription;
  private final PrimaryRecords records;

  public OtpNomination(OtpServerConfig config, PostgresDatabase own, Stores stores, InstantSource time) {
    this.config = config;
    this.own = own;
    this.replication = new Replication(own);
    this.subscription = new Subscription(own, config.server());
    this.records = new PrimaryRecords(stores, time);
  }

  /**
   * Makes this replica the primary; its node may run, and is the primary, and says so in the audit log, a second later.
   *
   * @param confirmed whether it is done, or only told
   * @return whether it was done
   * @throws ReplicationRefused if it must not be done; the message says why
   */
  public boolean run(boolean confirmed, Consumer<String> progress) {
    OtpPush.requireReplica(config);
    PrimaryRecord row =
        replication.primary().orElseThrow(() -> new ReplicationRefused("This server has no copy of a primary: ./gatehouse otp push"));
    PrimaryRecord shared = records.find().filter(found -> found.follows(row)).orElse(row);
    if (row.server().equals(config.server())) {
      throw new ReplicationRefused("This server is the primary already, since epoch " + row.epoch());
    }
    boolean isBegun = shared.server().equals(config.server());
    if (!replication.followed().equals(Optional.of(shared)) && !isBegun) {
      throw new ReplicationRefused(
          "This server does not follow " + shared.server() + ", which is the primary since epoch " + shared.epoch() + ", but has a copy of "
              + replication.followed().map(followed -> followed.server() + " of epoch " + followed.epoch()).orElse("nobody"));
    }
    if (!replication.isComplete()) {
      throw new ReplicationRefused(
          "The copy of this server is not whole: it would be the realm's only one. Nominate a replica whose copy is "
              + "(./gatehouse otp status)");
    }
    PrimaryRecord next = isBegun ? shared : new PrimaryRecord(shared.epoch() + 1, config.server());
    progress.accept("The last heartbeat of " + row.server() + " in this copy is " + heartbeat());
    FormerPrimary former = new FormerPrimary(config, own, row);
    try (OtherReplicas others = new OtherReplicas(config, row)) {
      boolean answers = former.requireStopped();
      former.requireFreshest(others, answers);
      if (!confirmed) {
        progress.accept(
            config.server() + " becomes the primary of one-time passwords at epoch " + next.epoch() + "; what " + shared.server()
                + " changed and did not send before it was lost is lost. With --confirm it is done.");
        return false;
      }
      if (subscription.isThere()) {
        former.drain(next);
      }
      PrimaryRecord counts = records.claim(next);
      if (!counts.equals(next)) {
        throw new ReplicationRefused(counts.server() + " was nominated at the same time, and is the primary since epoch " + counts.epoch());
      }
      take(next, others, progress);
    }
    progress.accept(config.server() + " is the primary of one-time passwords at epoch " + next.epoch());
    return true;
  }

  /** Becomes the primary. The tables take no change before each replica that has the same rows has its slot. */
  private void take(PrimaryRecord next, OtherReplicas others, Consumer<String> progress) {
    Optional<Long> position = stopped();
    subscription.unsubscribe();
    replication.publish();
    Followers followers = new Followers(own);
    followers.clear();
    Set<String> following = new TreeSet<>();
    position.ifPresent(
        at ->
            others.forEach(
                (name, database) -> {
                  try {
                    if (isAt(at, name, database)) {
                      followers.add(name, next.epoch(), at);
                      following.add(name);
                    }
                  } catch (DataAccessException e) {
                    // It is away again; or this server can make no slot, and is the primary without that.
                    progress.accept(name + " cannot follow by itself: " + e.getMessage());
                  }
                }));
    replication.unguard();
    new Uses(own).bring(own);
    replication.primary(next);
    tell(following, progress);
  }

  /** Ends what comes from the former primary; returns where that ended, if it is known. */
  private Optional<Long> stopped() {
    subscription.disable();
    return within(() -> !subscription.isRunning()) ? subscription.position() : Optional.empty();
  }

  private static boolean isAt(long position, String name, PostgresDatabase database) {
    Subscription other = new Subscription(database, name);
    // In a planned change, it may apply the last transactions still.
    return other.position().isPresent()
        && within(() -> other.position().filter(at -> at >= position).isPresent())
        && other.position().equals(Optional.of(position));
  }

  private static boolean within(BooleanSupplier condition) {
    long end = System.nanoTime() + SETTLED.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      pause();
    }
    return true;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReplicationRefused("Interrupted");
    }
  }

  private void tell(Set<String> following, Consumer<String> progress) {
    Set<String> left = new TreeSet<>(config.servers().keySet());
    left.remove(config.server());
    left.removeAll(following);
    following.forEach(name -> progress.accept(name + " has the same copy, and follows by itself within some seconds"));
    left.forEach(
        name ->
            progress.accept(
                name + " serves nothing until it has a copy of this server: stop its node there, and give the command "
                    + "./gatehouse otp push --replace --config DIR, at one server after the other"));
  }

  private String heartbeat() {
    return new Heartbeat(own).last().map(Object::toString).orElse("missing");
  }
}
