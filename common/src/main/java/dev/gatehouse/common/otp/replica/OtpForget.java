package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.otp.replica.ServerTable.Replica;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.dao.DataAccessException;

/** Forgets a replica that is gone, at the primary: its slot, which keeps the log of PostgreSQL on the disk, and what it told. */
public final class OtpForget {

  /** Who told something within that time is there. */
  private static final Duration THERE = Duration.ofSeconds(10);

  private final OtpServerConfig config;
  private final PostgresDatabase own;
  private final InstantSource time;

  public OtpForget(OtpServerConfig config, PostgresDatabase own, InstantSource time) {
    this.config = config;
    this.own = own;
    this.time = time;
  }

  /**
   * Forgets the replica.
   *
   * @param confirmed whether it is done, or only told
   * @return whether it was done
   * @throws ReplicationRefused if it must not be done; the message says why
   */
  public boolean run(String server, boolean confirmed, Consumer<String> progress) {
    Optional<PrimaryRecord> primary = new Replication(own).primary();
    if (primary.filter(record -> record.server().equals(config.server())).isEmpty()) {
      throw new ReplicationRefused(
          "This server is not the primary: give the command at " + primary.map(PrimaryRecord::server).orElse("the primary"));
    }
    List<Replica> all = new ServerTable(own).replicas();
    Replica replica =
        all.stream()
            .filter(one -> one.server().equals(server))
            .findFirst()
            .orElseThrow(
                () -> new ReplicationRefused("There is no replica " + server + " here, only " + all.stream().map(Replica::server).toList()));
    requireGone(replica);
    if (config.servers().containsKey(server)) {
      progress.accept("otp.servers still names " + server + ": remove it there at all servers, unless it comes back");
    }
    if (!confirmed) {
      progress.accept(
          server + " is forgotten: "
              + replica.slot().map(slot -> slot.retained() + " bytes of PostgreSQL's log are kept for it").orElse("nothing is kept for it")
              + ", last contact " + replica.told().map(told -> told.at().toString()).orElse("never")
              + ". What waits there is lost, and if it comes back, it is brought up anew (otp push --replace). With --confirm it is done.");
      return false;
    }
    try {
      new Slots(own).drop(server);
    } catch (DataAccessException e) {
      throw new ReplicationRefused("Its slot cannot be dropped: " + e.getMessage());
    }
    if (new ServerTable(own).replicas().stream().anyMatch(one -> one.server().equals(server) && one.slot().isPresent())) {
      throw new ReplicationRefused(server + " has connected meanwhile: stop its PostgreSQL first");
    }
    new Followers(own).forget(server);
    new ServerTable(own).forget(server);
    progress.accept(server + " is forgotten");
    return true;
  }

  private void requireGone(Replica replica) {
    if (replica.slot().filter(ServerTable.Slot::isConnected).isPresent()) {
      throw new ReplicationRefused(replica.server() + " is connected: stop its node and its PostgreSQL first");
    }
    Instant recent = time.instant().minus(THERE);
    if (replica.told().filter(told -> told.at().isAfter(recent)).isPresent()) {
      throw new ReplicationRefused(
          replica.server() + " told how far it is within the last " + THERE.toSeconds() + " s: stop its node first");
    }
  }
}
