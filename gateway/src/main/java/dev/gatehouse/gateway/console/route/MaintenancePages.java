package dev.gatehouse.gateway.console.route;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.route.MaintenanceEndpoint;
import dev.gatehouse.gateway.admin.route.MaintenanceEndpoint.MaintenanceView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsolePages.Question;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/maintenance}: maintenance of a route, switched on, off or back to the configuration. */
@Controller
@RequestMapping("/console/realms/{realm}/maintenance")
final class MaintenancePages {

  private static final String HERE = "realms";
  private static final String PATH = "maintenance";
  private static final String SWITCH = PATH + "/switch";
  private static final Set<String> STEPS = Set.of("on", "off", "clear");
  private static final long LONGEST_MINUTES = 100_000;

  private final Realms realms;
  private final MaintenanceEndpoint endpoint;
  private final InstantSource time;
  private final ConsolePages pages;

  MaintenancePages(Realms realms, MaintenanceEndpoint endpoint, InstantSource time, ConsolePages pages) {
    this.realms = realms;
    this.endpoint = endpoint;
    this.time = time;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("route") String name,
      @RequestParam(name = "done", defaultValue = "") String done) {
    RouteConfig route = find(realm, name);
    Optional<MaintenanceView> switched = endpoint.find(realm, name).filter(this::counts);
    boolean configured = route.response().maintenance().filter(how -> how.on()).isPresent();
    Map<String, Object> model = new HashMap<>();
    model.put("routeName", name);
    model.put("routeHref", Address.ofRealm(realm, "route", "name", name));
    model.put("switched", switched);
    model.put("on", switched.map(MaintenanceView::on).orElse(configured));
    model.put("done", Optional.of(done).filter(STEPS::contains));
    model.put("maySwitch", request.rights().may(AdministratorRole.OPERATOR, realm));
    model.put("switchHref", Address.ofRealm(realm, SWITCH));
    return pages.show(request, HERE, "console-maintenance", model);
  }

  private boolean counts(MaintenanceView switched) {
    return switched.until().filter(end -> !time.instant().isBefore(end)).isEmpty();
  }

  /** Says which requests would be answered how, before anything is switched. */
  @GetMapping("/switch")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("route") String name) {
    RouteConfig route = find(realm, name);
    String to = step(request.query("to"));
    Optional<Instant> until = to.equals("on") ? request.query("minutes").map(this::end) : Optional.empty();
    Map<String, String> fields = new TreeMap<>(Map.of("route", name, "to", to));
    until.ifPresent(end -> fields.put("until", end.toString()));
    List<String> details =
        Stream.concat(
                route.match().hosts().stream().map(host -> host + route.match().path()),
                until.stream().map(end -> "→ " + end))
            .toList();
    String action = Address.ofRealm(realm, SWITCH);
    return pages.ask(
        request, HERE, new Question("maintenance-" + to, name, Optional.of(realm), details, action, fields, address(realm, name)));
  }

  private Instant end(String minutes) {
    if (!minutes.matches("\\d{1,6}") || Long.parseLong(minutes) < 1 || Long.parseLong(minutes) > LONGEST_MINUTES) {
      throw new BadRequest("`minutes` is a number from 1 to " + LONGEST_MINUTES + "; leave it out for a maintenance without an end.");
    }
    return time.instant().plus(Duration.ofMinutes(Long.parseLong(minutes)));
  }

  @PostMapping("/switch")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> change(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String name = request.field("route").orElse("");
    String to = step(request.field("to"));
    String administrator = request.rights().administrator();
    if (to.equals("clear")) {
      endpoint.clear(realm, name, administrator);
    } else {
      Optional<Instant> until = request.field("until").map(MaintenancePages::instant);
      endpoint.set(realm, name, new MaintenanceView(to.equals("on"), until), administrator);
    }
    return pages.seeOther(Address.ofRealm(realm, PATH, "route", name, "done", to));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new BadRequest("`until` is no time; write it as 2026-01-31T12:00:00Z.");
    }
  }

  private static String step(Optional<String> given) {
    return given.filter(STEPS::contains).orElseThrow(() -> new BadRequest("`to` is on, off or clear."));
  }

  private static String address(String realm, String route) {
    return Address.ofRealm(realm, PATH, "route", route);
  }

  private RouteConfig find(String realm, String name) {
    return realms.find(realm).stream()
        .flatMap(found -> found.gateway().routes().stream())
        .filter(route -> route.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NotFound("There is no route " + name + " in the realm " + realm + "."));
  }
}
