package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.person.PersonDataEndpoint;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/** {@code /console/realms/REALM/people/data}: what is stored about a person, as a file or to be removed. */
@Controller
@RequestMapping("/console/realms/{realm}/people/data")
final class PersonDataPages {

  private static final String HERE = "people";
  private static final String PATH = "people/data";
  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private record Line(String kind, int count) {}

  private final Realms realms;
  private final PersonDataEndpoint data;
  private final ConsolePages pages;

  PersonDataPages(Realms realms, PersonDataEndpoint data, ConsolePages pages) {
    this.realms = realms;
    this.data = data;
    this.pages = pages;
  }

  /** Says what an erasure would remove, before anything is removed. */
  @GetMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("name") String name) {
    return show(request, realm, name, data.wouldErase(realm, name), false);
  }

  @GetMapping("/export")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> export(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("name") String name) {
    byte[] file = JSON.writeValueAsBytes(data.export(realm, name, request.rights().administrator()));
    return ResponseEntity.ok()
        .header("Content-Type", "application/json")
        .header("Content-Disposition", "attachment; filename=\"person-data.json\"")
        .header("Cache-Control", "no-store")
        .header("X-Content-Type-Options", "nosniff")
        .body(file);
  }

  @PostMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> erase(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String name = request.field("name").orElseThrow(() -> new BadRequest("`name` is missing."));
    return show(request, realm, name, data.erase(realm, name, request.rights().administrator()), true);
  }

  private ResponseEntity<byte[]> show(
      ConsoleRequest request, String realm, String name, PersonDataEndpoint.Erased found, boolean done) {
    Realm known = realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
    List<Line> lines =
        found.removed().entrySet().stream().map(count -> new Line(count.getKey(), count.getValue())).toList();
    Map<String, Object> model = new HashMap<>();
    model.put("realmTitle", known.brand().displayName());
    model.put("name", name);
    model.put("person", found.person());
    model.put("lines", lines);
    model.put("done", done);
    model.put("action", Address.ofRealm(realm, PATH));
    model.put("export", Address.ofRealm(realm, PATH + "/export", "name", name));
    model.put("back", Address.ofRealm(realm, HERE, "name", name));
    return pages.show(request, HERE, "console-data", model);
  }
}
