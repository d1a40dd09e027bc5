package dev.gatehouse.gateway.admin.route;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.Switched;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/maintenance}: switches maintenance of a route, which may have any name, on and off. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/maintenance", produces = "application/json")
@Tag(name = "maintenance", description = "Maintenance mode of routes, which overrides the configuration")
public final class MaintenanceEndpoint {

  /** The requested state. */
  @Schema(name = "Maintenance")
  public record MaintenanceView(
      @Schema(description = "Whether the route answers 503") boolean on,
      @Schema(description = "The end of the override") Optional<Instant> until) {}

  private static final String ROUTE = "The name of the route";

  private final Realms realms;
  private final Optional<AdminResource.Maintenances> maintenances;
  private final AdminAudit audit;

  /** @param maintenances empty on a node without gateway */
  MaintenanceEndpoint(Realms realms, Optional<AdminResource.Maintenances> maintenances, AdminAudit audit) {
    this.realms = realms;
    this.maintenances = maintenances;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getMaintenance", summary = "The override; 404 if the configuration applies")
  MaintenanceView get(
      @PathVariable("realm") String realm, @Parameter(description = ROUTE) @RequestParam("route") String route) {
    return find(realm, route).orElseThrow(() -> new NotFound("Nothing was switched: the configuration counts."));
  }

  /** Returns the override; empty if the configuration applies. */
  public Optional<MaintenanceView> find(String realm, String route) {
    return here(realm, route).find(realm, route).map(how -> new MaintenanceView(how.on(), how.until()));
  }

  @PutMapping(consumes = "application/json")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "setMaintenance", summary = "Switch a route's maintenance mode on or off; kept across restarts")
  public MaintenanceView set(
      @PathVariable("realm") String realm,
      @Parameter(description = ROUTE) @RequestParam("route") String route,
      @RequestBody MaintenanceView wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.Maintenances here = here(realm, route);
    audit.record(
        realm, administrator, wanted.on() ? "maintenance.on" : "maintenance.off",
        Map.of("route", route, "until", wanted.until().map(Instant::toString).orElse("-"), "before", before(here, realm, route)));
    here.set(realm, route, new Switched(wanted.on(), wanted.until()));
    return wanted;
  }

  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "clearMaintenance", summary = "Remove the override")
  public void clear(
      @PathVariable("realm") String realm,
      @Parameter(description = ROUTE) @RequestParam("route") String route,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.Maintenances here = here(realm, route);
    audit.record(realm, administrator, "maintenance.cleared", Map.of("route", route, "before", before(here, realm, route)));
    if (!here.clear(realm, route)) {
      throw new NotFound("Nothing was switched: the configuration counts.");
    }
  }

  private static String before(AdminResource.Maintenances here, String realm, String route) {
    return here.find(realm, route)
        .map(how -> (how.on() ? "on" : "off") + how.until().map(until -> " until " + until).orElse(""))
        .orElse("as configured");
  }

  private AdminResource.Maintenances here(String realm, String route) {
    boolean known =
        realms.find(realm).stream().flatMap(r -> r.gateway().routes().stream()).anyMatch(r -> r.name().equals(route));
    if (!known) {
      throw new NotFound("There is no route " + route + " in a realm " + realm + ".");
    }
    return maintenances.orElseThrow(() -> new NotFound("This node has no gateway."));
  }
}
