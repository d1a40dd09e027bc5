package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Makes a replica the primary after the primary was lost. The epoch rises in the store that all servers use once everything that may fail
 * has been done, and before the first change here: from then on the former primary changes and accepts nothing, if it comes back.
 */
public final class OtpNomination {

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
   * @param comparesByTime whether heartbeats are enough where it is not known which of two replicas has more
   * @return whether it was done
   * @throws ReplicationRefused if it must not be done; the message says why
   */
  public boolean run(boolean confirmed, boolean comparesByTime, Consumer<String> progress) {
    OtpPush.requireReplica(config);
    try (NominationLock _ = NominationLock.take(own)) {
      return runAlone(confirmed, comparesByTime, progress);
    }
  }

  private boolean runAlone(boolean confirmed, boolean comparesByTime, Consumer<String> progress) {
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
      if (!isBegun) {
        former.requireFreshest(others, answers, comparesByTime);
      }
      if (!confirmed) {
        progress.accept(
            config.server() + " becomes the primary of one-time passwords at epoch " + next.epoch() + "; what " + shared.server()
                + " changed and did not send before it was lost is lost. With --confirm it is done.");
        return false;
      }
      Set<String> following = Set.of();
      if (!isBegun) {
        require(records.claim(next), next);
        progress.accept("No replica that answers has more than this one");
        Candidate candidate = new Candidate(config, own, former, others);
        try {
          if (answers) {
            candidate.drain();
          }
          following = candidate.prepare(next.epoch(), answers, comparesByTime, progress);
        } catch (RuntimeException e) {
          candidate.takeBack();
          withdraw(next, e);
          throw e;
        }
        raise(next, candidate);
      }
      // From here on every server and agent learns the epoch. What is left is in the own database, and the command repeats it.
      take(next);
      if (answers) {
        former.fence(next);
      }
      tell(following, progress);
    }
    progress.accept(config.server() + " is the primary of one-time passwords at epoch " + next.epoch());
    return true;
  }

  /** A command whose answer was lost may count, and may even be carried out later: then nothing is taken back. */
  private void raise(PrimaryRecord next, Candidate candidate) {
    PrimaryRecord counts;
    try {
      counts = records.raise(next);
    } catch (StoreUnavailable e) {
      if (isRaised(next)) {
        return;
      }
      throw new ReplicationRefused(
          "Valkey did not answer when the epoch was to rise, so that nobody knows whether it has: nothing was taken back. Give the command "
              + "again when Valkey answers",
          e);
    }
    try {
      require(counts, next);
    } catch (ReplicationRefused e) {
      candidate.takeBack();
      withdraw(next, e);
      throw e;
    }
  }

  private boolean isRaised(PrimaryRecord next) {
    try {
      return records.find().filter(next::equals).isPresent();
    } catch (StoreUnavailable e) {
      return false;
    }
  }

  private void withdraw(PrimaryRecord next, RuntimeException failed) {
    try {
      records.withdraw(next);
    } catch (StoreUnavailable e) {
      // The claim ends by itself.
      failed.addSuppressed(e);
    }
  }

  private static void require(PrimaryRecord counts, PrimaryRecord next) {
    if (!counts.equals(next)) {
      throw new ReplicationRefused(
          counts.server() + " was nominated at the same time, for epoch " + counts.epoch()
              + ": finish it there (./gatehouse otp nominate --confirm), or wait ten minutes if that server is gone");
    }
  }

  /** Becomes the primary. The tables take no change before each replica that has the same rows has its slot. */
  private void take(PrimaryRecord next) {
    replication.publish();
    subscription.unsubscribe();
    replication.unguard();
    new Uses(own).bring(own);
    replication.primary(next);
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
