package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.inspection.TestLoginEndpoint;
import dev.gatehouse.gateway.admin.inspection.TestLoginEndpoint.NewReplay;
import dev.gatehouse.gateway.admin.inspection.TestLoginEndpoint.NewTestLogin;
import dev.gatehouse.gateway.admin.inspection.TestLoginEndpoint.RecordingPassphrase;
import dev.gatehouse.gateway.admin.inspection.TestLoginEndpoint.TestLoginView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.sp.inspection.Inspection;
import dev.gatehouse.sp.inspection.Replay;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/test-login}: test logins with a partner, check by check, and replays of saved ones. */
@Controller
@RequestMapping("/console/realms/{realm}/test-login")
final class TestLoginPages {

  static final String PATH = "test-login";

  private static final int REFRESH_SECONDS = 3;

  private final Realms realms;
  private final TestLoginEndpoint tests;
  private final ConsolePages pages;

  TestLoginPages(Realms realms, TestLoginEndpoint tests, ConsolePages pages) {
    this.realms = realms;
    this.tests = tests;
    this.pages = pages;
  }

  @PostMapping
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> begin(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    TestLoginView begun = tests.begin(realm, new NewTestLogin(required(request, "partner")), request.rights().administrator());
    return pages.seeOther(Address.ofRealm(realm, PATH, "id", begun.id()));
  }

  @GetMapping
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("id") String id) {
    TestLoginView test = tests.one(realm, id);
    Map<String, Object> model = model(realm, test.identityProvider());
    model.put("test", test);
    model.put("save", Address.ofRealm(realm, PATH + "/recording"));
    test.inspection().ifPresent(inspection -> add(model, inspection));
    int refresh = test.inspection().isPresent() ? 0 : REFRESH_SECONDS;
    return pages.refreshing(request, RealmPages.HERE, "console-test-login", model, refresh);
  }

  /** A form, because of the passphrase. */
  @PostMapping("/recording")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> save(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    RecordingPassphrase passphrase = new RecordingPassphrase(required(request, "passphrase"));
    String file = tests.save(realm, required(request, "id"), passphrase, request.rights().administrator()).file();
    return ResponseEntity.ok()
        .header(HttpHeaders.CONTENT_TYPE, "application/jose")
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"test-login.jwe\"")
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .body(file.getBytes(StandardCharsets.US_ASCII));
  }

  @GetMapping("/replay")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    return pages.show(request, RealmPages.HERE, "console-replay", model(realm, ""));
  }

  @PostMapping("/replay")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> replay(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    NewReplay body = new NewReplay(required(request, "file"), required(request, "passphrase"));
    Map<String, Object> model = model(realm, "");
    try {
      Replay replay = tests.replay(realm, body, request.rights().administrator());
      model.put("replay", replay);
      add(model, replay.now());
      return pages.show(request, RealmPages.HERE, "console-replay", model);
    } catch (BadRequest e) {
      model.put("wrong", List.of(String.valueOf(e.getMessage())));
      return pages.show(request, 400, RealmPages.HERE, "console-replay", model);
    }
  }

  static void add(Map<String, Object> model, Inspection inspection) {
    model.put("inspection", inspection);
    model.put("passed", inspection.isPassed());
  }

  private static String required(ConsoleRequest request, String field) {
    return request.field(field).orElseThrow(() -> new BadRequest("`" + field + "` is missing."));
  }

  private Map<String, Object> model(String realm, String partner) {
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("partner", partner);
    model.put("partnerHref", partnerHref(realm, partner));
    model.put("begin", Address.ofRealm(realm, PATH));
    model.put("replayHref", Address.ofRealm(realm, PATH + "/replay"));
    model.put("wrong", List.of());
    return model;
  }

  /** The realm's own page lists OpenID providers. */
  private String partnerHref(String realm, String partner) {
    boolean isOpenId =
        realms.find(realm).stream()
            .flatMap(found -> found.parties().providers().stream())
            .anyMatch(provider -> provider.issuer().equals(partner));
    return isOpenId ? Address.ofRealm(realm, "") : Address.ofRealm(realm, "partner", "id", partner);
  }
}
