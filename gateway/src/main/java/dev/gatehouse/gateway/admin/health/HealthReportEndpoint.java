package dev.gatehouse.gateway.admin.health;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.health.HealthView.DependencyView;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Comparator;
import java.util.List;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/health}: what the node depends on, each with its state, for administrators of the realms that it belongs to. */
@RestController
@RequestMapping(path = "/admin/v1/health", produces = "application/json")
@Tag(name = "health", description = "Everything that this node depends on, as it sees it")
final class HealthReportEndpoint {

  private final HealthEndpoint health;
  private final Dependencies dependencies;

  HealthReportEndpoint(HealthEndpoint health, Dependencies dependencies) {
    this.health = health;
    this.dependencies = dependencies;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(
      operationId = "getHealth",
      summary =
          "The node's own parts, directories, partners, OpenID providers and servers of apps of the realms that the key may read, with"
              + " their state")
  HealthView get(
      @Parameter(description = "Whether only what is not up is listed") @RequestParam(name = "failing", defaultValue = "false")
          boolean failing,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    List<DependencyView> sorted =
        dependencies.of(rights).filter(one -> !failing || !one.up()).sorted(Comparator.comparing(DependencyView::id)).toList();
    String status = health.health().getStatus().getCode();
    return Paging.sorted(sorted, after, limit, DependencyView::id, (page, next) -> new HealthView(status, page, next));
  }
}
