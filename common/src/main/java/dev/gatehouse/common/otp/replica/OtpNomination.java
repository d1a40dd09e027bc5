package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.otp.replica.OtherServers.Primary;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.store.Stores;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes a replica the primary after the primary was lost. The epoch rises first, in the store that all servers use: from then on the
 * former primary changes and accepts nothing, if it comes back.
 */
public final class OtpNomination {

  private final OtpServerConfig config;
  private final PostgresDatabase own;
  private final Replication replication;
  private final PrimaryRecords records;

  public OtpNomination(OtpServerConfig config, PostgresDatabase own, Stores stores, InstantSource time) {
    this.config = config;
    this.own = own;
    this.replication = new Replication(own);
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
    former.requireFreshest();
    former.requireStopped();
    if (!confirmed) {
      progress.accept(
          config.server() + " becomes the primary of one-time passwords at epoch " + next.epoch() + "; what " + shared.server()
              + " changed and did not send before it was lost is lost. With --confirm it is done.");
      return false;
    }
    if (replication.isSubscribed(config.server())) {
      former.drain(next);
    }
    PrimaryRecord counts = records.claim(next);
    if (!counts.equals(next)) {
      throw new ReplicationRefused(counts.server() + " was nominated at the same time, and is the primary since epoch " + counts.epoch());
    }
    replication.unsubscribe(config.server());
    replication.unguard();
    new Uses(own).bring(own);
    replication.primary(next);
    replication.publish();
    progress.accept(config.server() + " is the primary of one-time passwords at epoch " + next.epoch() + ". The other replicas serve "
            + "nothing until each of them has a copy of it: ./gatehouse otp push --replace there, one after the other.");
    return true;
  }

  private String heartbeat() {
    return new Heartbeat(own).last().map(Object::toString).orElse("missing");
  }
}
