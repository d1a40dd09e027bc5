package dev.gatehouse.gateway.admin.route;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.route.MaintenanceEndpoint.MaintenanceView;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /admin/v1/routes/{realm}/{route}/maintenance}: the former address of {@link MaintenanceEndpoint}, for scripts that have it. A
 * route whose name has a slash cannot be named here.
 */
@RestController
@RequestMapping(path = "/admin/v1/routes/{realm}/{route}/maintenance", produces = "application/json")
@Tag(name = "maintenance")
final class FormerMaintenanceEndpoint {

  private final MaintenanceEndpoint maintenance;

  FormerMaintenanceEndpoint(MaintenanceEndpoint maintenance) {
    this.maintenance = maintenance;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getRouteMaintenance", deprecated = true, summary = "The former address of getMaintenance")
  MaintenanceView get(@PathVariable("realm") String realm, @PathVariable("route") String route) {
    return maintenance.get(realm, route);
  }

  @PutMapping(consumes = "application/json")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "setRouteMaintenance", deprecated = true, summary = "The former address of setMaintenance")
  MaintenanceView set(
      @PathVariable("realm") String realm,
      @PathVariable("route") String route,
      @RequestBody MaintenanceView wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return maintenance.set(realm, route, wanted, administrator);
  }

  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "clearRouteMaintenance", deprecated = true, summary = "The former address of clearMaintenance")
  void clear(
      @PathVariable("realm") String realm,
      @PathVariable("route") String route,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    maintenance.clear(realm, route, administrator);
  }
}
