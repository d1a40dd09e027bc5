package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.RotationStep;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.key.KeyEndpoint;
import dev.gatehouse.gateway.admin.key.KeyView;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/keys}: the keys of a realm, and the steps of their rotation, each with what it does to whom. */
@Controller
@RequestMapping("/console/realms/{realm}/keys")
final class KeyPages {

  /** Names of those whom a step concerns; the others are counted. */
  private static final int MOST = 50;

  private record StepLink(String step, String href) {}

  private record UseLine(String use, List<KeyView> held, List<StepLink> steps) {}

  private final Realms realms;
  private final KeyEndpoint endpoint;
  private final PartnerRegistry partners;
  private final InstantSource time;
  private final ConsolePages pages;

  KeyPages(Realms realms, KeyEndpoint endpoint, PartnerRegistry partners, InstantSource time, ConsolePages pages) {
    this.realms = realms;
    this.endpoint = endpoint;
    this.partners = partners;
    this.time = time;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "done", defaultValue = "") String done) {
    List<KeyView> keys = endpoint.list(realm).keys();
    boolean mayChange = request.rights().may(AdministratorRole.ADMIN, realm);
    List<UseLine> lines =
        keys.stream()
            .map(KeyView::use)
            .distinct()
            .map(use -> line(realm, use, keys.stream().filter(key -> key.use() == use).toList(), mayChange))
            .toList();
    Map<String, Object> model = model(realm);
    model.put("lines", lines);
    model.put("done", Arrays.stream(RotationStep.values()).map(RotationStep::word).filter(done::equals).findFirst());
    return pages.show(request, RealmPages.HERE, "console-keys", model);
  }

  private static UseLine line(String realm, KeyUse use, List<KeyView> keys, boolean mayChange) {
    List<String> states = keys.stream().map(KeyView::state).toList();
    Stream<RotationStep> possible =
        Arrays.stream(RotationStep.values())
            .filter(
                step ->
                    mayChange
                        && !states.contains("configured")
                        && switch (step) {
                          case PREPARE -> !states.contains("next");
                          case PROMOTE -> states.contains("next") && !states.contains("previous");
                          case RETIRE -> states.contains("previous");
                        });
    return new UseLine(use.name(), keys, possible.map(step -> new StepLink(step.word(), address(realm, use.name(), step.word()))).toList());
  }

  /** Says what the step will do, and to whom, before it is taken. */
  @GetMapping("/step")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("use") String use,
      @RequestParam("step") String word) {
    RotationStep step = step(word);
    List<KeyView> keys = endpoint.list(realm).keys().stream().filter(key -> key.use().name().equals(use)).toList();
    if (keys.isEmpty()) {
      throw new NotFound("The realm has no keys of that use.");
    }
    KeyUse known = keys.getFirst().use();
    Optional<Instant> safeFrom = keys.stream().flatMap(key -> key.safeFrom().filter(at -> concerns(step, key)).stream()).findFirst();
    List<String> concerned = step == RotationStep.PREPARE ? List.of() : concerned(realm, known);
    Map<String, Object> model = model(realm);
    model.put("use", use);
    model.put("step", word);
    model.put("kind", known.isEncryption() ? "encryption" : known.isTokens() || known.isIdentity() ? "tokens" : "signing");
    model.put("held", keys);
    model.put("early", safeFrom.filter(time.instant()::isBefore));
    model.put("concerned", concerned.subList(0, Math.min(MOST, concerned.size())));
    model.put("more", Math.max(0, concerned.size() - MOST));
    model.put("action", Address.ofRealm(realm, "keys/step"));
    return pages.show(request, RealmPages.HERE, "console-key-step", model);
  }

  @PostMapping("/step")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> take(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    RotationStep step = step(request.field("step").orElse(""));
    boolean now = request.field("now").isPresent();
    endpoint.step(realm, request.field("use").orElse(""), step, now, request.rights().administrator());
    return pages.seeOther(Address.ofRealm(realm, "keys", "done", step.word()));
  }

  private static boolean concerns(RotationStep step, KeyView key) {
    return step == RotationStep.PROMOTE && key.state().equals("next") || step == RotationStep.RETIRE && key.state().equals("previous");
  }

  /** Returns the names of those who verify with keys of that use, or encrypt to them. */
  private List<String> concerned(String realm, KeyUse use) {
    Realm found = realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
    if (use.isTokens()) {
      return found.parties().clients().stream().map(ClientConfig::name).toList();
    }
    if (use.isIdentity()) {
      return found.gateway().routes().stream().filter(route -> route.identity().inject().jwt().isPresent()).map(RouteConfig::name).toList();
    }
    return partners.all(realm).stream().map(Partner::displayName).toList();
  }

  private static String address(String realm, String use, String step) {
    return Address.ofRealm(realm, "keys/step", "use", use, "step", step);
  }

  private static RotationStep step(String word) {
    return Arrays.stream(RotationStep.values())
        .filter(step -> step.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new NotFound("There is no such step."));
  }

  private static Map<String, Object> model(String realm) {
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("back", Address.ofRealm(realm, "keys"));
    return model;
  }
}
