package dev.gatehouse.gateway.admin.node;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.otp.replica.OtpOverview;
import dev.gatehouse.common.otp.replica.ServerState;
import dev.gatehouse.common.otp.replica.ServerTable.Replica;
import dev.gatehouse.common.otp.replica.ServerTable.Slot;
import dev.gatehouse.common.otp.replica.ServerTable.Told;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/otp-servers}: the servers that check one-time passwords together. */
@RestController
@RequestMapping(path = "/admin/v1/otp-servers", produces = "application/json")
@Tag(name = "otp-servers", description = "Servers that check one-time passwords together")
public final class OtpServersEndpoint {

  private static final String PRIMARY = "primary";

  /**
   * The servers as the one that is asked sees them; the primary sees all.
   *
   * @param server the one that is asked; absent if it checks one-time passwords alone
   * @param problem why it checks no passcodes; absent if it does
   * @param keptAtMost bytes of its log that PostgreSQL of the primary keeps for a replica; absent if there is no bound
   */
  @Schema(name = "OtpServers")
  public record ServerList(Optional<String> server, Optional<String> problem, Optional<Long> keptAtMost, List<ServerView> servers) {}

  /**
   * A server.
   *
   * @param role primary or replica
   * @param state primary, replica, copying, behind, outdated, replaced, starting; empty if it never told
   * @param connected whether its PostgreSQL follows the primary's now
   * @param lag how far it is behind; absent for the primary, and where nothing is kept for it
   * @param epoch of the primary that it knows
   * @param usesWaiting uses of tokens that the primary does not have yet
   * @param marksWaiting marks of used codes that the other servers do not have yet
   * @param lastContact when it told that
   * @param isolatedSince since when it goes on with marks of its own, because Valkey is out of reach
   */
  @Schema(name = "OtpServer")
  public record ServerView(
      String server,
      String role,
      String state,
      boolean connected,
      Optional<LagView> lag,
      Optional<Long> epoch,
      long usesWaiting,
      long marksWaiting,
      Optional<Instant> lastContact,
      Optional<Instant> isolatedSince) {}

  /**
   * How far a replica is.
   *
   * @param bytes of the primary's log that it has not confirmed
   * @param seconds that it was behind when it said so last; absent if it follows without delay
   * @param kept bytes of the log on the primary's disk for it
   * @param lost whether what it needs was removed, so that it has to be brought up anew
   */
  @Schema(name = "OtpServerLag")
  public record LagView(long bytes, Optional<Double> seconds, long kept, boolean lost) {}

  private final Optional<OtpOverview.Source> source;

  /** @param source empty where there is none, as in tests of other parts */
  OtpServersEndpoint(Optional<OtpOverview.Source> source) {
    this.source = source;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listOtpServers", summary = "The servers that check one-time passwords together, and how far each is")
  public ServerList all() {
    return source
        .flatMap(OtpOverview.Source::overview)
        .map(OtpServersEndpoint::list)
        .orElseGet(() -> new ServerList(Optional.empty(), Optional.empty(), Optional.empty(), List.of()));
  }

  private static ServerList list(OtpOverview all) {
    List<ServerView> servers = new ArrayList<>();
    servers.add(own(all));
    boolean isPrimary = all.server().equals(all.primary().server());
    if (!isPrimary && !all.primary().server().isEmpty()) {
      servers.add(
          new ServerView(
              all.primary().server(), PRIMARY, "", false, Optional.empty(), Optional.of(all.primary().epoch()), 0, 0, Optional.empty(),
              Optional.empty()));
    }
    all.replicas().stream().filter(replica -> !replica.server().equals(all.server())).map(OtpServersEndpoint::view).forEach(servers::add);
    return new ServerList(Optional.of(all.server()), all.problem(), all.keptAtMost(), servers);
  }

  /** What it knows about itself needs no row at the primary. */
  private static ServerView own(OtpOverview all) {
    Optional<Slot> slot =
        all.replicas().stream().filter(replica -> replica.server().equals(all.server())).findFirst().flatMap(Replica::slot);
    Optional<Long> epoch = Optional.of(all.primary().epoch()).filter(known -> known > 0);
    return new ServerView(
        all.server(), all.state() == ServerState.PRIMARY ? PRIMARY : "replica", all.state().name().toLowerCase(Locale.ROOT),
        slot.filter(Slot::isConnected).isPresent(), slot.map(OtpServersEndpoint::lag), epoch, all.usesWaiting(), all.marksWaiting(),
        Optional.empty(), all.isolatedAt());
  }

  private static ServerView view(Replica replica) {
    Optional<Told> told = replica.told();
    return new ServerView(
        replica.server(), "replica", told.map(Told::state).orElse("").toLowerCase(Locale.ROOT),
        replica.slot().filter(Slot::isConnected).isPresent(), replica.slot().map(OtpServersEndpoint::lag), told.map(Told::epoch),
        told.map(Told::usesWaiting).orElse(0L), told.map(Told::marksWaiting).orElse(0L), told.map(Told::at),
        told.flatMap(Told::isolatedAt));
  }

  private static LagView lag(Slot slot) {
    return new LagView(slot.behind(), slot.seconds(), slot.retained(), slot.isLost());
  }
}
