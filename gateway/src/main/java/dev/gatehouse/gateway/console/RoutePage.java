package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.decision.DecisionEndpoint;
import dev.gatehouse.gateway.admin.decision.DecisionEndpoint.DecisionRequest;
import dev.gatehouse.gateway.admin.decision.DecisionEndpoint.DecisionView;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint.RouteView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/route}: one route, and what its rules would decide about a person. */
@Controller
@RequestMapping("/console/realms/{realm}/route")
final class RoutePage {

  private record Question(String url, String person, String method) {}

  private final Realms realms;
  private final DecisionEndpoint decisions;
  private final ConsolePages pages;

  RoutePage(Realms realms, DecisionEndpoint decisions, ConsolePages pages) {
    this.realms = realms;
    this.decisions = decisions;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("name") String name) {
    RouteConfig route = find(realm, name);
    String address = realms.find(realm).map(found -> TestLogins.address(found, route)).orElse("");
    Question question = new Question(address, "", "");
    return pages.show(request, RealmPages.HERE, "console-route", model(realm, route, question));
  }

  /** A form, because the question names a person. */
  @PostMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> ask(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    RouteConfig route = find(realm, request.field("name").orElse(""));
    Question question =
        new Question(request.field("url").orElse(""), request.field("person").orElse(""), request.field("method").orElse(""));
    Map<String, Object> model = model(realm, route, question);
    int status = 200;
    try {
      DecisionView decision = decide(realm, question, request);
      model.put("decision", decision);
      model.put("otherRoute", decision.route().filter(other -> !other.equals(route.name())));
    } catch (BadRequest e) {
      model.put("wrong", e.getMessage());
      status = 400;
    } catch (NotFound e) {
      model.put("wrong", e.getMessage());
      status = 404;
    }
    return pages.show(request, status, RealmPages.HERE, "console-route", model);
  }

  private DecisionView decide(String realm, Question question, ConsoleRequest request) {
    DecisionRequest asked =
        new DecisionRequest(
            realm, question.url(), given(question.method()), Optional.empty(), Optional.empty(), given(question.person()), Optional.empty(),
            Optional.empty(), Optional.empty(), Optional.empty());
    return Optional.ofNullable(decisions.decide(asked, request.rights()).getBody()).orElseThrow();
  }

  private static Optional<String> given(String value) {
    return Optional.of(value).filter(text -> !text.isEmpty());
  }

  private Map<String, Object> model(String realm, RouteConfig route, Question question) {
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("back", Address.ofRealm(realm, "routes"));
    model.put("maintenanceHref", Address.ofRealm(realm, "maintenance", "route", route.name()));
    model.put("connectHref", ConnectPage.address(realm, AppKind.PROXIED, route.name()));
    model.put("action", Address.ofRealm(realm, "route"));
    model.put("route", RouteView.of(route));
    model.put("question", question);
    model.put("inject", new TreeSet<>(route.identity().inject().headers().keySet()));
    return model;
  }

  private RouteConfig find(String realm, String name) {
    return realms.find(realm).stream()
        .flatMap(found -> found.gateway().routes().stream())
        .filter(route -> route.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NotFound("There is no route " + name + " in the realm " + realm + "."));
  }
}
