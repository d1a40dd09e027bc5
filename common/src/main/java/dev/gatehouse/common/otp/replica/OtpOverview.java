package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.otp.replica.ServerTable.Replica;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The servers of one-time passwords as one of them sees them; the primary sees all.
 *
 * @param server this one
 * @param problem why it checks no passcodes; empty if it does
 * @param isolated how long it may go on with marks of its own
 * @param isolatedAt since when it does; empty if it does not
 * @param usesWaiting uses of tokens here that the primary does not have yet
 * @param marksWaiting marks of used codes here that the other servers do not have yet
 * @param replicas as the primary knows them, also those that are configured and never told; none while it does not answer
 * @param keptAtMost bytes of its log that the primary keeps for a replica; empty if there is no bound, or it does not answer
 */
public record OtpOverview(
    String server, ServerState state, PrimaryRecord primary, Optional<String> problem, Duration isolated, Optional<Instant> isolatedAt,
    long usesWaiting, long marksWaiting, List<Replica> replicas, Optional<Long> keptAtMost) {

  /** Who knows it. */
  @FunctionalInterface
  public interface Source {
    /** Returns it; empty if this node checks one-time passwords alone. */
    Optional<OtpOverview> overview();
  }

  public OtpOverview {
    replicas = List.copyOf(replicas);
  }

  /** @param there the database of the primary, if it answers */
  static OtpOverview of(OtpServer server, Optional<PostgresDatabase> there) {
    List<Replica> replicas =
        there.map(database -> new ServerTable(database).replicas(server.config(), server.primary())).orElse(List.of());
    return new OtpOverview(
        server.name(), server.state(), server.primary(), server.problem(), server.config().isolated(), server.isolation().since(),
        server.uses().waiting(), server.isolation().waiting(), replicas, there.flatMap(database -> new Slots(database).bound()));
  }
}
