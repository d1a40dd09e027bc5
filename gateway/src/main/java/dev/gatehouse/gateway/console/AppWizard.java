package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.revision.NewEntries;
import dev.gatehouse.gateway.admin.revision.RevisionEndpoint;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Precondition;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * {@code /console/realms/{name}/add}: adds an app to a realm. The form is checked and shown as a plan, and nothing changes before the
 * plan is confirmed. The path variable is not called {@code realm}, because a change of the configuration concerns the whole node.
 */
@Controller
@RequestMapping("/console/realms/{name}/add")
final class AppWizard {

  private static final int SECRET_BYTES = 32;

  private final Realms realms;
  private final NewEntries entries;
  private final Optional<StoredRealms> stored;
  private final ConfigurationControl control;
  private final AppEntries apps;
  private final ConnectPage connect;
  private final RandomGenerator random;
  private final ConsolePages pages;

  /**
   * @param stored empty where the configuration is read from files
   * @param random a SecureRandom outside tests
   */
  AppWizard(
      Realms realms,
      NewEntries entries,
      Optional<StoredRealms> stored,
      ConfigurationControl control,
      AppEntries apps,
      ConnectPage connect,
      RandomGenerator random,
      ConsolePages pages) {
    this.realms = realms;
    this.entries = entries;
    this.stored = stored;
    this.control = control;
    this.apps = apps;
    this.connect = connect;
    this.random = random;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.ADMIN)
  ResponseEntity<byte[]> choose(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("name") String realm) {
    return pages.show(request, RealmPages.HERE, "console-add", model(realm));
  }

  @GetMapping("/{kind}")
  @RequiresRole(AdministratorRole.ADMIN)
  ResponseEntity<byte[]> form(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("name") String realm,
      @PathVariable("kind") String kind) {
    return form(request, 200, realm, new AppForm(AppKind.of(kind), Map.of()), Map.of());
  }

  /** Says what adding the app would change, with the revision that this was found for. */
  @PostMapping("/{kind}")
  @RequiresRole(AdministratorRole.ADMIN)
  ResponseEntity<byte[]> plan(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("name") String realm,
      @PathVariable("kind") String kind) {
    return plan(request, realm, AppForm.of(AppKind.of(kind), request), Optional.empty());
  }

  @PostMapping("/{kind}/confirm")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> add(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("name") String realm,
      @PathVariable("kind") String kind) {
    find(realm);
    AppForm form = AppForm.of(AppKind.of(kind), request);
    String secret = secret();
    if (!(apps.entry(realm, form, secret) instanceof AppEntries.Made.Entry(String id, NewEntries.NewEntry entry))) {
      return plan(request, realm, form, Optional.empty());
    }
    String reason = request.field("reason").orElse("Add " + form.kind().list() + " " + id.substring(0, Math.min(500, id.length())));
    try {
      PlanView answer =
          Objects.requireNonNull(
              entries.add(entry, request.field("ifMatch").orElse(""), reason, request.rights().administrator()).getBody());
      if (!answer.problems().isEmpty()) {
        return refused(request, realm, form, answer.problems());
      }
    } catch (Precondition e) {
      if (e.status() != HttpStatus.PRECONDITION_FAILED) {
        throw e;
      }
      return plan(request, realm, form, Optional.of(e));
    } catch (Conflict e) {
      return form(request, 409, realm, form, Map.of("conflict", String.valueOf(e.getMessage())));
    }
    return entry.secrets().isEmpty()
        ? pages.seeOther(Address.ofRealm(realm, "connect", "kind", form.kind().list(), "id", id, "done", "added"))
        : connect.show(request, realm, form.kind(), id, Optional.of(secret));
  }

  private ResponseEntity<byte[]> plan(ConsoleRequest request, String realm, AppForm form, Optional<Precondition> stale) {
    find(realm);
    try {
      return switch (apps.entry(realm, form, secret())) {
        case AppEntries.Made.Wrong wrong -> form(request, 422, realm, form, Map.of("wrong", wrong));
        case AppEntries.Made.Entry(String id, NewEntries.NewEntry entry) -> {
          PlanView plan = entries.plan(entry, request.rights().administrator());
          yield plan.problems().isEmpty()
              ? confirmation(request, realm, form, plan, stale)
              : refused(request, realm, form, plan.problems());
        }
      };
    } catch (Conflict e) {
      return form(request, 409, realm, form, Map.of("conflict", String.valueOf(e.getMessage())));
    }
  }

  private ResponseEntity<byte[]> refused(ConsoleRequest request, String realm, AppForm form, List<ProblemView> problems) {
    return form(request, 422, realm, form, Map.of("problems", problems));
  }

  private ResponseEntity<byte[]> form(
      ConsoleRequest request, int status, String realm, AppForm form, Map<String, Object> what) {
    Map<String, Object> model = model(realm);
    model.put("kind", form.kind().word());
    model.put("fields", form.fields());
    model.put("problems", List.of());
    model.put("action", Address.ofRealm(realm, "add/" + form.kind().word()));
    model.putAll(what);
    return pages.show(request, status, RealmPages.HERE, "console-add-app", model);
  }

  private ResponseEntity<byte[]> confirmation(
      ConsoleRequest request, String realm, AppForm form, PlanView plan, Optional<Precondition> stale) {
    Map<String, Object> model = model(realm);
    model.put("kind", form.kind().word());
    model.put("fields", form.fields());
    model.put("stale", stale.map(Precondition::getMessage));
    model.put("effect", plan.effect());
    model.put("changes", plan.changes());
    model.put("files", plan.files());
    model.put("more", 0);
    model.put("ifMatch", RevisionEndpoint.tag(plan.before()));
    model.put("action", Address.ofRealm(realm, "add/" + form.kind().word() + "/confirm"));
    model.put("back", Address.ofRealm(realm, "add/" + form.kind().word()));
    return pages.show(request, stale.isPresent() ? 412 : 200, RealmPages.HERE, "console-add-plan", model);
  }

  private String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private Map<String, Object> model(String realm) {
    find(realm);
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("addHref", Address.ofRealm(realm, "add"));
    model.put("folder", stored.isPresent() ? Optional.empty() : Optional.of(control.directory().toAbsolutePath().normalize()));
    return model;
  }

  private void find(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
  }
}
