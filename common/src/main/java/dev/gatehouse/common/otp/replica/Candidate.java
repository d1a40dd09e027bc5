package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * What a nominated replica does while the former primary still counts. All that may fail is done here, before any server or agent learns of
 * the new epoch, and is taken back if something fails: then everything is as it was.
 */
final class Candidate {

  private static final Logger LOG = LoggerFactory.getLogger(Candidate.class);
  private static final Duration SETTLED = Duration.ofSeconds(2);
  private static final int PAUSE_MILLIS = 20;

  private final FormerPrimary former;
  private final OtherReplicas others;
  private final Replication replication;
  private final Subscription subscription;
  private final Followers followers;
  private boolean isLocked;

  Candidate(OtpServerConfig config, PostgresDatabase own, FormerPrimary former, OtherReplicas others) {
    this.former = former;
    this.others = others;
    this.replication = new Replication(own);
    this.subscription = new Subscription(own, config.server());
    this.followers = new Followers(own);
  }

  /** Gets what the former primary has, if its database answers: a planned change loses nothing. */
  void drain() {
    if (subscription.isThere()) {
      // It may be disabled, by a nomination that ended midway.
      subscription.enable();
      isLocked = true;
      former.drain();
    }
  }

  /**
   * Ends what comes from the former primary, and makes a slot for each replica that has the same rows. The tables take no change still.
   *
   * @param answers whether the former primary's database was read to its end
   * @param comparesByTime see {@link FormerPrimary#requireFreshest}
   * @return the names of those replicas
   */
  Set<String> prepare(long epoch, boolean answers, boolean comparesByTime, Consumer<String> progress) {
    Optional<Long> position = stopped();
    replication.publish();
    followers.clear();
    Set<String> following = new TreeSet<>();
    position.ifPresent(
        at ->
            others.forEach(
                (name, database) -> {
                  try {
                    if (isAt(at, name, database)) {
                      followers.add(name, epoch, at);
                      following.add(name);
                    }
                  } catch (DataAccessException e) {
                    // It is away again; or this server can make no slot, and is the primary without that.
                    progress.accept(name + " cannot follow by itself: " + e.getMessage());
                  }
                }));
    // Another one that the former primary still reaches may have got more since it was asked first, and so may this one.
    former.requireFreshest(others, answers, comparesByTime);
    if (answers) {
      former.requireStopped();
    }
    if (!subscription.position().equals(position)) {
      throw new ReplicationRefused("The subscription of this server was enabled meanwhile: give the command again");
    }
    return following;
  }

  /** Takes everything back, as far as it can be; what cannot is logged, and does not hide what failed first. */
  void takeBack() {
    quietly(followers::dropAll);
    quietly(replication::unpublish);
    quietly(() -> {
      if (subscription.isThere()) {
        subscription.enable();
      }
    });
    if (isLocked) {
      quietly(former::release);
    }
  }

  private static void quietly(Runnable step) {
    try {
      step.run();
    } catch (DataAccessException | ReplicationRefused e) {
      LOG.warn("A nomination that failed cannot be taken back completely", e);
    }
  }

  /** Returns where the log of the former primary ended here, if it is known. */
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
      FormerPrimary.pause(PAUSE_MILLIS);
    }
    return true;
  }
}
