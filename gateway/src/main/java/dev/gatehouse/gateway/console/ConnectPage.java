package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/connect}: how to configure an app's own side, and a link that tries a login. */
@Controller
@RequestMapping("/console/realms/{realm}/connect")
final class ConnectPage {

  private final Realms realms;
  private final AppSnippets snippets;
  private final ConsolePages pages;

  ConnectPage(Realms realms, AppSnippets snippets, ConsolePages pages) {
    this.realms = realms;
    this.snippets = snippets;
    this.pages = pages;
  }

  /** Returns the address of the page. */
  static String address(String realm, AppKind kind, String id) {
    return Address.ofRealm(realm, "connect", "kind", kind.list(), "id", id);
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("kind") String list,
      @RequestParam("id") String id,
      @RequestParam(name = "done", defaultValue = "") String done) {
    AppKind kind =
        Arrays.stream(AppKind.values())
            .filter(known -> known.list().equals(list))
            .findFirst()
            .orElseThrow(() -> new NotFound("There are no such apps."));
    return show(request, realm, kind, id, Optional.empty(), done.equals("added"));
  }

  /** Returns the page of an app that was just added, the only one with its secret. */
  ResponseEntity<byte[]> show(ConsoleRequest request, String realm, AppKind kind, String id, Optional<String> secret) {
    return show(request, realm, kind, id, secret, true);
  }

  private ResponseEntity<byte[]> show(
      ConsoleRequest request, String name, AppKind kind, String id, Optional<String> secret, boolean isNew) {
    Realm realm = realms.find(name).orElseThrow(() -> NotFound.realm(name));
    if (!exists(realm, kind, id)) {
      throw new NotFound("There is no such app in the realm " + name + ".");
    }
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", name);
    model.put("realmHref", Address.ofRealm(name, ""));
    model.put("id", id);
    model.put("isNew", isNew);
    model.put("secret", secret);
    model.put("list", kind.list());
    model.put("back", Address.ofRealm(name, kind.list()));
    model.put("testLogin", TestLogins.of(realm, kind, id));
    model.put("snippets", snippets.of(realm, kind, id, secret));
    return pages.show(request, RealmPages.HERE, "console-connect", model);
  }

  private static boolean exists(Realm realm, AppKind kind, String id) {
    return switch (kind) {
      case SAML -> realm.parties().partners().stream().anyMatch(partner -> partner.entityId().equals(id));
      case OPENID -> realm.parties().clients().stream().anyMatch(client -> client.clientId().equals(id));
      case PROXIED, FORM_FILL -> TestLogins.route(realm, id).isPresent();
    };
  }
}
