package dev.gatehouse.gateway.admin.node;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.postgres.LiveNodes;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/nodes}: the nodes that share their stores. */
@RestController
@RequestMapping(path = "/admin/v1/nodes", produces = "application/json")
@Tag(name = "nodes", description = "All nodes of storage: shared")
public final class NodesEndpoint {

  /** The nodes; none with another storage than shared. */
  @Schema(name = "Nodes")
  public record NodeList(List<MemberView> nodes) {}

  /**
   * A node that runs, or ran within a day.
   *
   * @param index of its gatehouse.yaml
   * @param host where it runs, with the number of its process
   * @param version of its program
   * @param revision of the configuration that it serves
   * @param seenAt when it said last that it runs
   * @param running whether that was within ten seconds
   * @param leases the scheduled work that it does for all nodes
   * @param startedAt when it started
   * @param revisionSince since when it serves that revision
   * @param draining whether it tells balancers that it is not ready because an administrator wants that
   */
  @Schema(name = "NodeOfAll")
  public record MemberView(
      int index,
      String host,
      String version,
      long revision,
      Instant seenAt,
      boolean running,
      List<String> leases,
      Optional<Instant> startedAt,
      Optional<Instant> revisionSince,
      boolean draining) {}

  private final Optional<LiveNodes> nodes;
  private final AdminAudit audit;

  /** @param nodes empty with another storage than shared */
  NodesEndpoint(Optional<LiveNodes> nodes, AdminAudit audit) {
    this.nodes = nodes;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listNodes", summary = "The nodes that share their stores, and which revision each serves")
  public NodeList all() {
    return new NodeList(nodes.map(LiveNodes::members).orElse(List.of()).stream().map(NodesEndpoint::view).toList());
  }

  private static MemberView view(NodeTable.Member node) {
    return new MemberView(
        node.number(), node.host(), node.version(), node.revision(), node.seenAt(), node.isRunning(), node.leases(), node.startedAt(),
        node.revisionSince(), node.isDraining());
  }

  @PostMapping("/{index}/drain")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "drainNodeOfAll",
      summary =
          "Drain one of the nodes within a second: readiness is off, and clients are told to connect anew, until it is brought back or"
              + " restarts; it serves on")
  @ApiResponse(responseCode = "204", description = "It was told")
  @ApiResponse(responseCode = "404", description = "No such node runs")
  public void drain(
      @Parameter(description = "Of its gatehouse.yaml") @PathVariable("index") int index,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    change(index, administrator, "node.drain", true);
  }

  @PostMapping("/{index}/undrain")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "undrainNodeOfAll", summary = "Bring one of the nodes back: readiness is on again within a second")
  @ApiResponse(responseCode = "204", description = "It was told")
  @ApiResponse(responseCode = "404", description = "No such node runs")
  public void undrain(
      @Parameter(description = "Of its gatehouse.yaml") @PathVariable("index") int index,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    change(index, administrator, "node.undrain", false);
  }

  private void change(int index, String administrator, String action, boolean wanted) {
    MemberView node = running(index);
    audit.record(
        AdminRights.NODE, administrator, action,
        Map.of("node", String.valueOf(index), "before", state(node.draining()), "after", state(wanted)));
    if (nodes.filter(all -> all.drain(index, wanted)).isEmpty()) {
      throw none();
    }
  }

  /** Returns that node; throws {@link NotFound} if it does not run. */
  public MemberView running(int index) {
    return all().nodes().stream().filter(node -> node.index() == index && node.running()).findFirst().orElseThrow(NodesEndpoint::none);
  }

  private static NotFound none() {
    return new NotFound("No node of that index runs.");
  }

  private static String state(boolean draining) {
    return draining ? "drained" : "in service";
  }
}
