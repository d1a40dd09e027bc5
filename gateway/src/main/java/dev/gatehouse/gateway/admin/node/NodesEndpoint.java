package dev.gatehouse.gateway.admin.node;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
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
   */
  @Schema(name = "NodeOfAll")
  public record MemberView(
      int index, String host, String version, long revision, Instant seenAt, boolean running, List<String> leases) {}

  private final Supplier<List<NodeTable.Member>> members;

  NodesEndpoint(Supplier<List<NodeTable.Member>> members) {
    this.members = members;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listNodes", summary = "The nodes that share their stores, and which revision each serves")
  public NodeList all() {
    return new NodeList(
        members.get().stream()
            .map(
                node ->
                    new MemberView(
                        node.number(), node.host(), node.version(), node.revision(), node.seenAt(), node.isRunning(), node.leases()))
            .toList());
  }
}
