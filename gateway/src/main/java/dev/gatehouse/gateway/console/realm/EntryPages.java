package dev.gatehouse.gateway.console.realm;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.revision.EntryEndpoint;
import dev.gatehouse.gateway.admin.revision.EntryEndpoint.EntryPage;
import dev.gatehouse.gateway.admin.revision.EntryEndpoint.EntryView;
import dev.gatehouse.gateway.admin.revision.RevisionChanges;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.Precondition;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code /console/realms/{realm}/entries}: a realm's partners, clients, providers, policies and routes, as configured; removes them. */
@Controller
@RequestMapping("/console/realms/{realm}/entries")
final class EntryPages {

  private static final String HERE = "realms";
  private static final String PATH = "entries";
  private static final List<String> KINDS = List.of("partners", "clients", "providers", "policies", "routes");
  private static final int ON_A_PAGE = 50;
  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private record KindLine(String kind, String href) {}

  private record Line(String id, String text, String removeHref) {}

  private final EntryEndpoint endpoint;
  private final RevisionChanges changes;
  private final ConsolePages pages;

  EntryPages(EntryEndpoint endpoint, RevisionChanges changes, ConsolePages pages) {
    this.endpoint = endpoint;
    this.changes = changes;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "kind", defaultValue = "policies") String kind,
      @RequestParam(name = "after", defaultValue = "") String after,
      @RequestParam(name = "done", defaultValue = "") String done) {
    EntryPage page = Objects.requireNonNull(endpoint.page(realm, kind, after, ON_A_PAGE).getBody());
    Map<String, Object> model = model(realm, kind);
    model.put("kinds", KINDS.stream().map(one -> new KindLine(one, address(realm, one))).toList());
    model.put("lines", page.entries().stream().map(entry -> line(realm, kind, entry)).toList());
    model.put("next", page.next().map(last -> Address.ofRealm(realm, PATH, "kind", kind, "after", last)));
    model.put("mayRemove", request.rights().may(AdministratorRole.ADMIN, realm) && isStored());
    model.put("done", done.equals("removed"));
    return pages.show(request, HERE, "console-entries", model);
  }

  private boolean isStored() {
    try {
      changes.stored();
      return true;
    } catch (Conflict e) {
      return false;
    }
  }

  private static Line line(String realm, String kind, EntryView entry) {
    String removeHref = Address.ofRealm(realm, PATH + "/remove", "kind", kind, "id", entry.id());
    return new Line(entry.id(), JSON.writeValueAsString(entry.value()), removeHref);
  }

  /** Says what would go, before it goes. */
  @GetMapping("/remove")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("kind") String kind,
      @RequestParam("id") String id) {
    changes.stored();
    return ask(request, 200, realm, kind, id, Map.of());
  }

  /** @param more what a refusal says */
  private ResponseEntity<byte[]> ask(
      ConsoleRequest request, int status, String realm, String kind, String id, Map<String, List<?>> more) {
    ResponseEntity<EntryView> answer = endpoint.one(realm, kind, id);
    Map<String, Object> model = model(realm, kind);
    model.put("line", line(realm, kind, Objects.requireNonNull(answer.getBody())));
    model.put("ifMatch", Objects.requireNonNull(answer.getHeaders().getETag()));
    model.put("action", Address.ofRealm(realm, PATH + "/remove"));
    model.put("back", address(realm, kind));
    model.put("stale", status == HttpStatus.PRECONDITION_FAILED.value());
    model.put("problems", more.getOrDefault("problems", List.of()));
    model.put("changes", more.getOrDefault("changes", List.of()));
    model.put("files", more.getOrDefault("files", List.of()));
    model.put("more", 0);
    return pages.show(request, status, HERE, "console-entry-remove", model);
  }

  @PostMapping("/remove")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> remove(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String kind = request.field("kind").orElse("");
    String id = request.field("id").orElseThrow(() -> new BadRequest("`id` is missing."));
    try {
      ResponseEntity<PlanView> answer =
          endpoint.remove(realm, kind, id, request.field("reason"), request.field("ifMatch").orElse(""), request.rights());
      List<?> problems = Objects.requireNonNull(answer.getBody()).problems();
      return problems.isEmpty()
          ? pages.seeOther(Address.ofRealm(realm, PATH, "kind", kind, "done", "removed"))
          : ask(request, answer.getStatusCode().value(), realm, kind, id, Map.of("problems", problems));
    } catch (Precondition e) {
      return ask(request, e.status().value(), realm, kind, id, Map.of("changes", list(e, "changes"), "files", list(e, "files")));
    }
  }

  private static List<?> list(Precondition failed, String property) {
    return failed.properties().get(property) instanceof List<?> found ? found : List.of();
  }

  private static String address(String realm, String kind) {
    return Address.ofRealm(realm, PATH, "kind", kind);
  }

  private static Map<String, Object> model(String realm, String kind) {
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("kind", kind);
    return model;
  }
}
