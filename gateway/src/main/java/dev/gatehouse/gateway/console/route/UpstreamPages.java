package dev.gatehouse.gateway.console.route;

import dev.gatehouse.common.admin.AdminResource.UpstreamView;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.route.UpstreamEndpoint;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsolePages.Question;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/upstreams}: the servers of the apps behind this node, drained and enabled again. */
@Controller
@RequestMapping("/console/upstreams")
final class UpstreamPages {

  private static final String HERE = "upstreams";
  private static final String PATH = Address.CONSOLE + HERE;
  private static final String DRAIN = PATH + "/drain";
  private static final Set<String> DONE = Set.of("drained", "enabled");
  private static final String DRAINING = "draining";

  private record Line(UpstreamView server, boolean up, String href) {}

  private final Realms realms;
  private final UpstreamEndpoint endpoint;
  private final ConsolePages pages;

  UpstreamPages(Realms realms, UpstreamEndpoint endpoint, ConsolePages pages) {
    this.realms = realms;
    this.endpoint = endpoint;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @RequestParam(name = "done", defaultValue = "") String done) {
    Map<String, Object> model = new HashMap<>();
    model.put(
        "lines",
        endpoint.all(request.rights()).upstreams().stream()
            .map(server -> new Line(server, server.state().equals("up"), Address.with(DRAIN, "server", server.server())))
            .toList());
    model.put("mayDrain", request.rights().mayEverywhere(AdministratorRole.OPERATOR));
    model.put("done", Optional.of(done).filter(DONE::contains));
    return pages.show(request, HERE, "console-upstreams", model);
  }

  /** Says which routes of which realms the server serves, before it is drained or enabled again. */
  @GetMapping("/drain")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @RequestParam("server") String name) {
    UpstreamView server =
        endpoint.all(request.rights()).upstreams().stream()
            .filter(one -> one.server().equals(name))
            .findFirst()
            .orElseThrow(() -> new NotFound("There is no such server."));
    boolean isDraining = server.state().equals(DRAINING);
    String what = isDraining ? "upstream-enable" : "upstream-drain";
    Map<String, String> fields = Map.of("server", name, "to", isDraining ? "use" : "drain");
    return pages.ask(request, HERE, new Question(what, name, Optional.empty(), served(server), DRAIN, fields, PATH));
  }

  private List<String> served(UpstreamView server) {
    return realms.all().stream().flatMap(realm -> served(realm, server)).toList();
  }

  private static Stream<String> served(Realm realm, UpstreamView server) {
    Origin origin = Origin.of(URI.create(server.origin()));
    return realm.gateway().routes().stream()
        .filter(route -> route.upstream().servers().stream().anyMatch(one -> Origin.of(one.url()).equals(origin)))
        .map(route -> realm.name() + ": " + route.name() + " (" + route.upstream().servers().size() + ")");
  }

  @PostMapping("/drain")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> drain(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    String server = request.field("server").orElseThrow(() -> new NotFound("There is no such server."));
    String administrator = request.rights().administrator();
    if (request.field("to").filter("use"::equals).isPresent()) {
      endpoint.undrain(server, administrator);
      return pages.seeOther(PATH + "?done=enabled");
    }
    endpoint.drain(server, administrator);
    return pages.seeOther(PATH + "?done=drained");
  }
}
