package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.CacheView;
import dev.gatehouse.common.realm.Realms;
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
@Tag(name = "cache", description = "Responses of apps that this node keeps in memory")
final class CacheEndpoint {

  /** The number of dropped responses. */
  @Schema(name = "Dropped")
  record Dropped(int dropped) {}

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
  @Operation(operationId = "cacheStatistics", summary = "What is kept for a realm, and how the cache did since the start")
  CacheView statistics(@PathVariable("realm") String realm) {
    return here(realm).statistics(realm);
  }

  @DeleteMapping
  @Operation(
      operationId = "purgeCache",
      summary =
          "Drop what is kept of one URL (all variants), of one tag, of one route, or everything of the realm; counts at the"
              + " next request")
  Dropped purge(
      @PathVariable("realm") String realm,
      @Parameter(description = "As clients write it, with its query") @RequestParam("url") Optional<String> url,
      @Parameter(description = "As the app names it in the route's field for tags") @RequestParam("tag")
          Optional<String> tag,
      @Parameter(description = "The route's name") @RequestParam("route") Optional<String> route,
      @Parameter(description = "true for everything") @RequestParam(name = "all", defaultValue = "false") boolean all,
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
      throw new NotFound("There is no realm " + realm + ".");
    }
    return responses.orElseThrow(() -> new NotFound("This node has no gateway."));
  }
}
