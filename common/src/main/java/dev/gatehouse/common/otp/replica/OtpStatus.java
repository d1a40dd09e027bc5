package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.otp.replica.OtherServers.Primary;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The state of the servers of one-time passwords, as one of them sees it, for an operator. */
public final class OtpStatus {

  private OtpStatus() {}

  /** Returns lines, the replicas last. */
  public static List<String> lines(OtpServerConfig config, PostgresDatabase own) {
    Replication replication = new Replication(own);
    Optional<PrimaryRecord> record = replication.primary();
    if (record.isEmpty()) {
      return List.of(config.server() + ": " + (config.isReplica() ? "no copy of a primary yet (./gatehouse otp push)" : "not started yet"));
    }
    long marks = Isolation.waiting(JdbcClient.create(own.dataSource()));
    return record.get().server().equals(config.server())
        ? ofPrimary(config, own, record.get(), marks)
        : ofReplica(config, own, record.get(), marks);
  }

  /** A former primary may not know yet that another one was nominated, if its node has not run since. */
  private static List<String> ofPrimary(OtpServerConfig config, PostgresDatabase own, PrimaryRecord record, long marks) {
    Optional<PrimaryRecord> next =
        new Replication(own)
            .followed()
            .filter(known -> known.replaces(record))
            .or(() -> answering(config).filter(known -> known.replaces(record)));
    if (next.isPresent()) {
      return List.of(
          "this server " + config.server() + " was the primary of epoch " + record.epoch() + " and accepts nothing any more: "
              + next.get().server() + " is the primary since epoch " + next.get().epoch()
              + ". Stop its node, write role: replica, and give the command ./gatehouse otp push --replace");
    }
    List<String> lines = new ArrayList<>();
    lines.add("primary " + record.server() + ", epoch " + record.epoch() + " (this server), marks waiting " + marks);
    lines.addAll(replicas(config, record, own));
    return lines;
  }

  private static Optional<PrimaryRecord> answering(OtpServerConfig config) {
    Optional<Primary> other = OtherServers.primary(config);
    other.ifPresent(Primary::close);
    return other.map(Primary::record);
  }

  private static List<String> ofReplica(OtpServerConfig config, PostgresDatabase own, PrimaryRecord record, long marks) {
    List<String> lines = new ArrayList<>();
    lines.add("primary " + record.server() + ", epoch " + record.epoch());
    Subscription.Progress progress = new Subscription(own, config.server()).progress();
    lines.add(
        "this server " + config.server() + ": "
            + (progress.isDone() ? "follows" : "copies, " + progress.tables() + " of " + progress.all() + " tables") + ", last heartbeat "
            + new Heartbeat(own).last().map(Object::toString).orElse("none") + ", "
            + new Uses(own).waiting() + " uses of tokens wait for the primary, marks waiting " + marks);
    Optional<Primary> primary = OtherServers.primary(config);
    if (primary.isEmpty()) {
      lines.add("the primary does not answer");
      return lines;
    }
    try (Primary there = primary.get()) {
      if (there.record().follows(record)) {
        lines.add(
            "the primary is " + there.record().server() + ", epoch " + there.record().epoch()
                + ": this server keeps its copy of " + record.server() + " and serves nothing; stop its node, and give the command "
                + "./gatehouse otp push --replace");
      }
      lines.addAll(replicas(config, there.record(), there.database()));
    }
    return lines;
  }

  private static List<String> replicas(OtpServerConfig config, PrimaryRecord primary, PostgresDatabase there) {
    return new ServerTable(there).replicas(config, primary).stream().map(OtpStatus::line).toList();
  }

  private static String line(ServerTable.Replica replica) {
    if (replica.slot().isEmpty() && replica.told().isEmpty()) {
      return "replica " + replica.server() + ": NOT BROUGHT UP: ./gatehouse otp push there";
    }
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
