package dev.gatehouse.gateway.admin.route;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.CacheView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/cache}: shows and drops the app responses that this node has stored. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/cache", produces = "application/json")
@Tag(name = "cache", description = "Responses of apps in this node's cache")
public final class CacheEndpoint {

  /** The number of dropped responses. */
  @Schema(name = "Dropped")
  public record Dropped(int dropped) {}

  private final Realms realms;
  private final Optional<AdminResource.Responses> responses;
  private final AdminAudit audit;

  /** @param responses empty on a node without gateway */
  CacheEndpoint(Realms realms, Optional<AdminResource.Responses> responses, AdminAudit audit) {
    this.realms = realms;
    this.responses = responses;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "cacheStatistics", summary = "Stored responses of a realm, and the cache's statistics since the start")
  public CacheView statistics(@PathVariable("realm") String realm) {
    return here(realm).statistics(realm);
  }

  @DeleteMapping
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "purgeCache",
      summary =
          "Remove the stored responses of one URL (all variants), one tag, one route or the whole realm; takes effect at the next"
              + " request")
  public Dropped purge(
      @PathVariable("realm") String realm,
      @Parameter(description = "The URL as clients request it, with its query") @RequestParam("url") Optional<String> url,
      @Parameter(description = "A tag from the response header that the route configures for tags") @RequestParam("tag")
          Optional<String> tag,
      @Parameter(description = "The route's name") @RequestParam("route") Optional<String> route,
      @Parameter(description = "true: all responses of the realm") @RequestParam(name = "all", defaultValue = "false") boolean all,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.Responses here = here(realm);
    if (Stream.of(url.isPresent(), tag.isPresent(), route.isPresent(), all).filter(given -> given).count() != 1) {
      throw new BadRequest("Name one of url, tag and route, or all=true.");
    }
    String what = url.isPresent() ? "url" : tag.isPresent() ? "tag" : route.isPresent() ? "route" : "all";
    String which = url.or(() -> tag).or(() -> route).orElse("true");
    audit.record(realm, administrator, "cache.purge", Map.of(what, which.replaceFirst("\\?.*", "?...")));
    return new Dropped(
        switch (what) {
          case "url" -> here.dropUrl(realm, which).orElseThrow(() -> new BadRequest("That is no http or https URL."));
          case "tag" -> here.dropTag(realm, which);
          case "route" -> here.dropRoute(realm, which);
          case String everything -> here.dropAll(realm);
        });
  }

  private AdminResource.Responses here(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
    return responses.orElseThrow(() -> new NotFound("This node has no gateway."));
  }
}
