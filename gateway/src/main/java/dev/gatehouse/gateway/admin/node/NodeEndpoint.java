package dev.gatehouse.gateway.admin.node;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/node}: takes this node out of service behind its balancer, and brings it back. */
@RestController
@RequestMapping(path = "/admin/v1/node", produces = "application/json")
@Tag(name = "node", description = "This node as a whole")
public final class NodeEndpoint {

  /**
   * The state of this node.
   *
   * @param draining whether it tells balancers that it is not ready because an administrator wants that
   */
  @Schema(name = "Node")
  public record NodeView(boolean draining) {}

  private final AdminResource.NodeDrains drains;
  private final AdminAudit audit;

  NodeEndpoint(AdminResource.NodeDrains drains, AdminAudit audit) {
    this.drains = drains;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "getNode", summary = "Whether this node is drained")
  public NodeView node() {
    return new NodeView(drains.isDraining());
  }

  @PostMapping("/drain")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "drainNode",
      summary =
          "Drain this node: readiness is off, and clients are told to connect anew, until it is brought back or restarts; it serves on")
  public void drain(@Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    change(administrator, "node.drain", true);
  }

  @PostMapping("/undrain")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "undrainNode", summary = "Bring this node back: readiness is on again")
  public void undrain(@Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    change(administrator, "node.undrain", false);
  }

  private void change(String administrator, String action, boolean wanted) {
    audit.record("-", administrator, action, Map.of());
    drains.drain(wanted);
  }
}
