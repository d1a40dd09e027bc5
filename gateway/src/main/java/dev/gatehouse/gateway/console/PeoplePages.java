package dev.gatehouse.gateway.console;

import dev.gatehouse.common.admin.AdminResource.SessionView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.person.PersonEndpoint;
import dev.gatehouse.gateway.admin.person.SessionEndpoint;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.Comparator;
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

/** {@code /console/people}: the sessions of a person, their roles read again, and their end, for the help desk. */
@Controller
@RequestMapping("/console")
final class PeoplePages {

  private static final String HERE = "people";

  private record RealmLine(String name, String displayName, String href) {}

  private record Line(SessionView session, String href) {}

  private final Realms realms;
  private final SessionEndpoint sessions;
  private final PersonEndpoint people;
  private final ConsolePages pages;

  PeoplePages(Realms realms, SessionEndpoint sessions, PersonEndpoint people, ConsolePages pages) {
    this.realms = realms;
    this.sessions = sessions;
    this.people = people;
    this.pages = pages;
  }

  @GetMapping("/people")
  @RequiresRole(value = AdministratorRole.HELPDESK, checksRealms = true)
  ResponseEntity<byte[]> realms(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    List<RealmLine> lines =
        realms.all().stream()
            .filter(realm -> request.rights().may(AdministratorRole.HELPDESK, realm.name()))
            .map(realm -> new RealmLine(realm.name(), realm.brand().displayName(), Address.ofRealm(realm.name(), HERE)))
            .sorted(Comparator.comparing(RealmLine::name))
            .toList();
    return lines.size() == 1
        ? pages.seeOther(lines.getFirst().href())
        : pages.show(request, HERE, "console-people", Map.of("lines", lines));
  }

  @GetMapping("/realms/{realm}/people")
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> find(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "name", defaultValue = "") String given,
      @RequestParam(name = "ended", required = false) Optional<Integer> ended,
      @RequestParam(name = "changed", required = false) Optional<Integer> changed) {
    String name = given.strip();
    Map<String, Object> model = model(realm, name);
    List<SessionView> found = name.isEmpty() ? List.of() : sessions.ofPerson(realm, name).sessions();
    model.put(
        "lines",
        found.stream().map(session -> new Line(session, endAddress(realm, name, session.kind(), session.id()))).toList());
    model.put("accessHref", Address.ofRealm(realm, "people/access", "name", name));
    model.put("dataHref", Address.ofRealm(realm, "people/data", "name", name));
    model.put("releaseHref", Address.ofRealm(realm, "people/release", "name", name));
    model.put("mayData", request.rights().may(AdministratorRole.ADMIN, realm));
    model.put("endAllHref", endAddress(realm, name, "", ""));
    model.put("rereadAction", Address.ofRealm(realm, "people/reread"));
    model.put("ended", ended);
    model.put("changed", changed);
    return pages.show(request, HERE, "console-sessions", model);
  }

  /** Says whose sessions would end and what that means, before any ends. */
  @GetMapping("/realms/{realm}/people/end")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("name") String name,
      @RequestParam(name = "kind", defaultValue = "") String kind,
      @RequestParam(name = "session", defaultValue = "") String id) {
    Map<String, Object> model = model(realm, name);
    List<SessionView> concerned =
        sessions.ofPerson(realm, name).sessions().stream()
            .filter(session -> id.isEmpty() || session.id().equals(id) && session.kind().equals(kind))
            .toList();
    if (concerned.isEmpty()) {
      throw new NotFound("There is no such session any more.");
    }
    model.put("concerned", concerned);
    model.put("all", id.isEmpty());
    model.put("kind", kind);
    model.put("session", id);
    model.put("action", Address.ofRealm(realm, "people/end"));
    model.put("back", Address.ofRealm(realm, HERE, "name", name));
    return pages.show(request, HERE, "console-end", model);
  }

  @PostMapping("/realms/{realm}/people/end")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  ResponseEntity<byte[]> end(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String name = request.field("name").orElseThrow(() -> new BadRequest("`name` is missing."));
    Optional<String> session = request.field("session");
    Optional<String> kind = request.field("kind");
    String administrator = request.rights().administrator();
    if (session.isPresent() != kind.isPresent()) {
      // All of them end only if no single one is meant.
      throw new BadRequest("A session is named by `kind` and `session`.");
    }
    int ended = 1;
    if (session.isPresent()) {
      sessions.end(realm, kind.orElseThrow(), session.get(), administrator);
    } else {
      ended = sessions.endAll(realm, name, administrator).ended();
    }
    return pages.seeOther(Address.ofRealm(realm, HERE, "name", name, "ended", String.valueOf(ended)));
  }

  @PostMapping("/realms/{realm}/people/reread")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  ResponseEntity<byte[]> reread(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String name = request.field("name").orElseThrow(() -> new BadRequest("`name` is missing."));
    PersonEndpoint.Reread reread = people.reread(realm, name, request.rights().administrator());
    return pages.seeOther(
        Address.ofRealm(
            realm, HERE, "name", name, "ended", String.valueOf(reread.ended()), "changed", String.valueOf(reread.changed())));
  }

  private static String endAddress(String realm, String name, String kind, String session) {
    return Address.ofRealm(realm, "people/end", "name", name, "kind", kind, "session", session);
  }

  private Map<String, Object> model(String realm, String name) {
    Realm found = realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmTitle", found.brand().displayName());
    model.put("name", name);
    model.put("find", Address.ofRealm(realm, HERE));
    return model;
  }
}
