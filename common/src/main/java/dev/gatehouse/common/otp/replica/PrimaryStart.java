package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.otp.replica.OtherServers.Primary;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server makes sure of when it starts: that it can be what it is configured to be, and that no other server is the primary. */
final class PrimaryStart {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryStart.class);

  private final OtpServerConfig config;
  private final PostgresDatabase own;
  private final Replication replication;

  PrimaryStart(OtpServerConfig config, PostgresDatabase own) {
    this.config = config;
    this.own = own;
    this.replication = new Replication(own);
  }

  /**
   * Begins.
   *
   * @param shared the record that all servers see
   * @throws ReplicationRefused if this server cannot be what it is configured to be; the message says what to do
   */
  void begin(Optional<PrimaryRecord> shared) {
    Optional<PrimaryRecord> row = replication.primary().or(replication::followed);
    if (config.isReplica()) {
      if (row.isEmpty()) {
        throw new ReplicationRefused(
            "This server is a replica of one-time passwords, and its database has no copy of the primary's: ./gatehouse otp push");
      }
      if (row.get().server().equals(config.server())) {
        requireOnly(row.get(), shared);
      }
      return;
    }
    if (row.isPresent() && !row.get().server().equals(config.server())) {
      throw new ReplicationRefused(
          "otp.role is primary, but its database is a copy of that of " + row.get().server() + ": write role: replica, or the name of this "
              + "server as it was");
    }
    replication.unpublishable().ifPresent(reason -> {
      throw new ReplicationRefused(reason);
    });
    PrimaryRecord self = row.orElseGet(() -> new PrimaryRecord(1, config.server()));
    requireOnly(self, shared);
    if (row.isEmpty()) {
      replication.primary(self);
    }
    // After a nomination that was given up, for which this primary was locked.
    replication.unguard();
    replication.publish();
  }

  /** What this server has learnt itself, and the databases of the others, count also where the store of all servers was lost. */
  private void requireOnly(PrimaryRecord self, Optional<PrimaryRecord> shared) {
    warnOfSlots();
    Optional<PrimaryRecord> other =
        Stream.concat(shared.stream(), replication.followed().stream()).filter(record -> record.replaces(self)).findFirst();
    if (other.isEmpty()) {
      try (Primary found = OtherServers.primary(config).orElse(null)) {
        other = Optional.ofNullable(found).map(Primary::record).filter(record -> record.replaces(self));
      }
    }
    if (other.isPresent()) {
      throw new ReplicationRefused(replaced(other.get()));
    }
  }

  /** Returns what a former primary says. */
  static String replaced(PrimaryRecord other) {
    return "This server is not the primary of one-time passwords any more: " + other.server() + " is, since epoch " + other.epoch()
        + ". It changes and accepts nothing; write otp.role: replica, and give the command ./gatehouse otp push --replace";
  }

  private void warnOfSlots() {
    Slots slots = new Slots(own);
    List<String> unknown = slots.unknown(config.servers().keySet());
    slots.unbounded().ifPresent(LOG::warn);
    if (!unknown.isEmpty()) {
      LOG.warn("PostgreSQL keeps its log for slots of servers that otp.servers does not name: {} (./gatehouse otp forget)", unknown);
    }
  }
}
