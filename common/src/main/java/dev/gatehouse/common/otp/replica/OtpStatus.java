package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.otp.replica.OtherServers.Primary;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The state of the servers of one-time passwords, as one of them sees it, for an operator. */
public final class OtpStatus {

  private OtpStatus() {}

  /** Returns lines, the replicas last. */
  public static List<String> lines(OtpServerConfig config, PostgresDatabase own) {
    Replication replication = new Replication(own);
    Optional<PrimaryRecord> record = replication.primary();
    List<String> lines = new ArrayList<>();
    if (record.isEmpty()) {
      lines.add(config.server() + ": " + (config.isReplica() ? "no copy of a primary yet (./gatehouse otp push)" : "not started yet"));
      return lines;
    }
    boolean isPrimary = record.get().server().equals(config.server());
    lines.add("primary " + record.get().server() + ", epoch " + record.get().epoch() + (isPrimary ? " (this server)" : ""));
    if (isPrimary) {
      lines.addAll(replicas(new ServerTable(own)));
      return lines;
    }
    Subscription.Progress progress = new Subscription(own, config.server()).progress();
    lines.add(
        "this server " + config.server() + ": "
            + (progress.isDone() ? "follows" : "copies, " + progress.tables() + " of " + progress.all() + " tables") + ", last heartbeat "
            + new Heartbeat(own).last().map(Object::toString).orElse("none") + ", "
            + new Uses(own).waiting() + " uses of tokens wait for the primary");
    Optional<Primary> primary = OtherServers.primary(config);
    if (primary.isEmpty()) {
      lines.add("the primary does not answer");
      return lines;
    }
    try (Primary there = primary.get()) {
      if (there.record().follows(record.get())) {
        lines.add(
            "the primary is " + there.record().server() + ", epoch " + there.record().epoch()
                + ": this server keeps its copy of " + record.get().server() + " and serves nothing; stop its node, and give the command "
                + "./gatehouse otp push --replace");
      }
      lines.addAll(replicas(new ServerTable(there.database())));
    }
    return lines;
  }

  private static List<String> replicas(ServerTable table) {
    return table.replicas().stream().map(OtpStatus::line).toList();
  }

  private static String line(ServerTable.Replica replica) {
    return "replica " + replica.server() + ": " + replica.slot().map(OtpStatus::words).orElse("NOT CONNECTED, nothing is kept for it")
        + replica.told().map(OtpStatus::words).orElse(", last contact never");
  }

  private static String words(ServerTable.Slot slot) {
    if (slot.isLost()) {
      return "LOST its log: ./gatehouse otp push --replace there";
    }
    return (slot.isConnected() ? "connected" : "NOT CONNECTED") + ", behind " + slot.behind() + " bytes, "
        + String.format(Locale.ROOT, "%.3f s", slot.seconds().orElse(0.0)) + ", kept for it " + slot.retained() + " bytes";
  }

  private static String words(ServerTable.Told told) {
    return (told.state().isEmpty() ? "" : ", " + told.state()) + told.isolatedAt().map(at -> ", ISOLATED since " + at).orElse("")
        + ", uses waiting " + told.usesWaiting() + ", marks waiting " + told.marksWaiting() + ", last contact " + told.at() + ", epoch "
        + told.epoch();
  }
}
