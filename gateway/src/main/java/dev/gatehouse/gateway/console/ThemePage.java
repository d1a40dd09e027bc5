package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import tools.jackson.databind.json.JsonMapper;

/** {@code /console/realms/{realm}/theme}: tries out a name and a colour for a realm's pages; nothing is changed. */
@Controller
@RequestMapping("/console/realms/{realm}/theme")
final class ThemePage {

  private static final Pattern COLOUR = Pattern.compile("#[0-9a-fA-F]{6}");
  private static final int LONGEST_NAME = 200;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Realms realms;
  private final ConsolePages pages;

  ThemePage(Realms realms, ConsolePages pages) {
    this.realms = realms;
    this.pages = pages;
  }

  /** Shows the page in the proposed appearance, with what people meet on the realm's pages. */
  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String name) {
    Realm realm = realms.find(name).orElseThrow(() -> new NotFound("There is no realm " + name + "."));
    String displayName = request.query("displayName").orElse(realm.brand().displayName());
    String accent = request.query("accent").orElse(realm.brand().accent());
    if (!COLOUR.matcher(accent).matches()) {
      throw new BadRequest("`accent` is a colour like #1f5fa8.");
    }
    if (displayName.length() > LONGEST_NAME || displayName.chars().anyMatch(Character::isISOControl)) {
      throw new BadRequest("`displayName` is one line of at most " + LONGEST_NAME + " characters.");
    }
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", name);
    model.put("realmHref", Address.ofRealm(name, ""));
    model.put("action", Address.ofRealm(name, "theme"));
    model.put("displayName", displayName);
    model.put("accent", accent);
    // A text of JSON is one of YAML, too.
    model.put("yaml", "brand:\n  displayName: " + JSON.writeValueAsString(displayName) + "\n  accent: \"" + accent + "\"\n");
    return pages.show(request, branded(realm, displayName, accent), RealmPages.HERE, "console-theme", model);
  }

  private static Realm branded(Realm realm, String displayName, String accent) {
    BrandConfig brand =
        new BrandConfig(
            displayName, accent, realm.brand().logo(), realm.brand().description(), realm.brand().privacyUrl(), realm.brand().informationUrl());
    return new Realm(
        realm.name(), realm.revision(), brand, realm.keys(), realm.idp(), realm.sp(), realm.directory(), realm.parties(), realm.gateway(),
        realm.federation());
  }
}
