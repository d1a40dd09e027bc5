package dev.gatehouse.gateway.console.route;

import dev.gatehouse.common.admin.AdminResource.CacheView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.route.CacheEndpoint;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsolePages.Question;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/cache}: the responses of apps that this node has stored, and their removal. */
@Controller
@RequestMapping("/console/realms/{realm}/cache")
final class CachePages {

  private static final String HERE = "realms";
  private static final String PURGE = "cache/purge";
  private static final long MEGABYTE = 1 << 20;

  /** What shall be removed, as the REST interface names it. */
  private record Purge(Optional<String> url, Optional<String> tag, Optional<String> route, boolean all) {

    String what() {
      return url.isPresent() ? "url" : tag.isPresent() ? "tag" : route.isPresent() ? "route" : "all";
    }

    String subject() {
      return url.or(() -> tag).or(() -> route).orElse("true");
    }

    Map<String, String> fields() {
      return Map.of(what(), subject());
    }
  }

  private final Realms realms;
  private final CacheEndpoint endpoint;
  private final ConsolePages pages;

  CachePages(Realms realms, CacheEndpoint endpoint, ConsolePages pages) {
    this.realms = realms;
    this.endpoint = endpoint;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "dropped", required = false) Optional<Integer> dropped) {
    CacheView cache = endpoint.statistics(realm);
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("cache", cache);
    model.put("megabytes", cache.bytes() / MEGABYTE);
    model.put("memory", cache.memory() / MEGABYTE);
    model.put("dropped", dropped);
    model.put("mayPurge", request.rights().may(AdministratorRole.OPERATOR, realm));
    model.put("purgeHref", Address.ofRealm(realm, PURGE));
    model.put(
        "routes",
        realms.find(realm).stream().flatMap(found -> found.gateway().routes().stream()).map(RouteConfig::name).sorted().toList());
    return pages.show(request, HERE, "console-cache", model);
  }

  /** Says which responses would go, before any goes. */
  @GetMapping("/purge")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    endpoint.statistics(realm);
    Purge purge =
        new Purge(request.query("url"), request.query("tag"), request.query("route"), request.query("all").isPresent());
    if (purge.what().equals("all") && !purge.all()) {
      throw new BadRequest("Name an address, a tag or a route.");
    }
    return pages.ask(
        request, HERE,
        new Question(
            "cache-" + purge.what(), purge.subject(), Optional.of(realm), List.of(), Address.ofRealm(realm, PURGE), purge.fields(),
            Address.ofRealm(realm, "cache")));
  }

  @PostMapping("/purge")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> purge(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    int dropped =
        endpoint
            .purge(
                realm, request.field("url"), request.field("tag"), request.field("route"),
                request.field("all").isPresent(), request.rights().administrator())
            .dropped();
    return pages.seeOther(Address.ofRealm(realm, "cache", "dropped", String.valueOf(dropped)));
  }
}
