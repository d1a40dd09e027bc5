package dev.gatehouse.gateway.admin.route;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.UpstreamView;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/upstreams}: shows the state of the apps' servers on this node, and drains them for maintenance. */
@RestController
@RequestMapping(path = "/admin/v1/upstreams", produces = "application/json")
@Tag(name = "upstreams", description = "Servers of the apps behind this node")
public final class UpstreamEndpoint {

  private static final String SERVER = "Host and port, such as 10.0.0.1:8080";

  /** The servers of all apps. */
  @Schema(name = "Upstreams")
  public record UpstreamList(
      List<UpstreamView> upstreams,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  private final Realms realms;
  private final Optional<AdminResource.AppServers> upstreams;
  private final AdminAudit audit;

  /** @param upstreams empty on a node without gateway */
  UpstreamEndpoint(Realms realms, Optional<AdminResource.AppServers> upstreams, AdminAudit audit) {
    this.realms = realms;
    this.upstreams = upstreams;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(operationId = "listUpstreams", summary = "The apps' servers of the realms that the key may read, their state and requests in progress")
  UpstreamList page(
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    List<UpstreamView> sorted = all(rights).upstreams().stream().sorted(Comparator.comparing(UpstreamView::server)).toList();
    return Paging.sorted(sorted, after, limit, UpstreamView::server, UpstreamList::new);
  }

  /** Returns all servers of the realms that the administrator may read. */
  public UpstreamList all(AdminRights rights) {
    List<UpstreamView> all = upstreams.map(AdminResource.AppServers::all).orElse(List.of());
    if (rights.mayEverywhere(AdministratorRole.VIEWER)) {
      return new UpstreamList(all, Optional.empty());
    }
    Set<Origin> own = origins(rights);
    return new UpstreamList(all.stream().filter(server -> own.contains(Origin.of(URI.create(server.origin())))).toList(), Optional.empty());
  }

  private Set<Origin> origins(AdminRights rights) {
    return realms.all().stream()
        .filter(realm -> rights.may(AdministratorRole.VIEWER, realm.name()))
        .flatMap(realm -> realm.gateway().routes().stream())
        .flatMap(route -> route.upstream().servers().stream())
        .map(server -> Origin.of(server.url()))
        .collect(Collectors.toSet());
  }

  @PostMapping("/{server}/drain")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "drainUpstream",
      summary =
          "Drain the server until it is enabled again: no new requests from this node until it restarts, or with shared storage from any node; "
              + "requests in progress end")
  public void drain(
      @Parameter(description = SERVER) @PathVariable("server") String server,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    change(server, administrator, "upstream.drain", true);
  }

  @PostMapping("/{server}/undrain")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "undrainUpstream", summary = "Enable the server again; its share grows over ten seconds")
  public void undrain(
      @Parameter(description = SERVER) @PathVariable("server") String server,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    change(server, administrator, "upstream.undrain", false);
  }

  private void change(String server, String administrator, String action, boolean wanted) {
    AdminResource.AppServers here = upstreams.orElseThrow(() -> new NotFound("This node has no gateway."));
    audit.record("-", administrator, action, Map.of("server", server));
    if (!here.drain(server, wanted)) {
      throw new NotFound("There is no such server.");
    }
  }
}
