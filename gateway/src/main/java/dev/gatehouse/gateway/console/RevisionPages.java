package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.revision.RevisionChanges;
import dev.gatehouse.gateway.admin.revision.RevisionEndpoint;
import dev.gatehouse.gateway.admin.revision.RevisionViews.DiffView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.RevisionPage;
import dev.gatehouse.gateway.admin.revision.RevisionViews.RevisionView;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.Precondition;
import dev.gatehouse.gateway.admin.web.RequiresRole;
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

/** {@code /console/revisions}: the revisions of the configuration, what each changed, and the way back to one. */
@Controller
@RequestMapping("/console/revisions")
final class RevisionPages {

  private static final String HERE = "revisions";
  private static final int ON_A_PAGE = 50;

  /** Lines of a difference; REST gives all of them. */
  private static final int MOST = 300;

  private record Line(RevisionView revision, boolean inUse, String href) {}

  private final RevisionEndpoint revisions;
  private final RevisionChanges changes;
  private final Optional<StoredRealms> stored;
  private final ConfigurationControl control;
  private final ConsolePages pages;

  /** @param stored empty where the configuration is read from files */
  RevisionPages(
      RevisionEndpoint revisions,
      RevisionChanges changes,
      Optional<StoredRealms> stored,
      ConfigurationControl control,
      ConsolePages pages) {
    this.revisions = revisions;
    this.changes = changes;
    this.stored = stored;
    this.control = control;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @RequestParam(name = "after", defaultValue = "") String after,
      @RequestParam(name = "done", defaultValue = "") String done) {
    RevisionPage page = Objects.requireNonNull(revisions.page(after, ON_A_PAGE).getBody());
    Map<String, Object> model = model(request.rights());
    model.put("done", done.equals("unchanged") ? Optional.of(done) : Optional.empty());
    model.put(
        "lines",
        page.revisions().stream()
            .map(revision -> new Line(revision, revision.number() == page.inUse(), address(revision.number())))
            .toList());
    model.put("next", page.next().map(last -> Address.with(Address.CONSOLE + HERE, "after", last)));
    return pages.show(request, HERE, "console-revisions", model);
  }

  @GetMapping("/{number}")
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> one(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("number") long number,
      @RequestParam(name = "done", defaultValue = "") String done) {
    DiffView diff = revisions.diff(number, Optional.empty(), Optional.empty());
    Map<String, Object> model = model(request.rights());
    model.put("done", done.equals("rolled-back") ? Optional.of(done) : Optional.empty());
    model.put("revision", Objects.requireNonNull(revisions.one(number).getBody()));
    model.put("inUse", changes.inUse() == number);
    model.put("rollbackHref", address(number) + "/rollback");
    difference(model, diff.changes(), diff.files());
    return pages.show(request, HERE, "console-revision", model);
  }

  /** Says what going back would change, before anything is changed. */
  @GetMapping("/{number}/rollback")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("number") long number) {
    changes.stored();
    long inUse = changes.inUse();
    DiffView diff = revisions.diff(number, Optional.of(inUse), Optional.empty());
    Map<String, Object> model = model(request.rights());
    model.put("revision", Objects.requireNonNull(revisions.one(number).getBody()));
    model.put("inUse", inUse);
    model.put("ifMatch", RevisionEndpoint.tag(inUse));
    model.put("action", address(number) + "/rollback");
    model.put("back", address(number));
    difference(model, diff.changes(), diff.files());
    return pages.show(request, HERE, "console-rollback", model);
  }

  @PostMapping("/{number}/rollback")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> rollBack(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("number") long number) {
    try {
      ResponseEntity<PlanView> answer =
          revisions.rollBack(number, request.field("ifMatch").orElse(""), request.field("reason"), Optional.empty(), request.rights());
      PlanView plan = Objects.requireNonNull(answer.getBody());
      if (answer.getStatusCode().equals(HttpStatus.CREATED)) {
        return pages.seeOther(address(plan.before()) + "?done=rolled-back");
      }
      return plan.problems().isEmpty()
          ? pages.seeOther(Address.CONSOLE + HERE + "?done=unchanged")
          : refused(request, 422, number, plan.problems(), List.of(), List.of());
    } catch (Precondition e) {
      return refused(request, e.status().value(), number, List.of(), list(e, "changes"), list(e, "files"));
    }
  }

  private static List<?> list(Precondition failed, String property) {
    return failed.properties().get(property) instanceof List<?> found ? found : List.of();
  }

  private ResponseEntity<byte[]> refused(
      ConsoleRequest request, int status, long number, List<?> problems, List<?> differing, List<?> files) {
    Map<String, Object> model = model(request.rights());
    model.put("number", number);
    model.put("current", changes.inUse());
    model.put("problems", problems);
    model.put("again", address(number) + "/rollback");
    difference(model, differing, files);
    return pages.show(request, status, HERE, "console-conflict", model);
  }

  private Map<String, Object> model(AdminRights rights) {
    Map<String, Object> model = new HashMap<>();
    model.put("mayRollBack", stored.isPresent() && rights.mayEverywhere(AdministratorRole.ADMIN));
    model.put("folder", stored.isPresent() ? Optional.empty() : Optional.of(control.directory().toAbsolutePath().normalize()));
    return model;
  }

  private static void difference(Map<String, Object> model, List<?> changes, List<?> files) {
    model.put("changes", changes.subList(0, Math.min(MOST, changes.size())));
    model.put("files", files.subList(0, Math.min(MOST, files.size())));
    model.put("more", Math.max(0, changes.size() - MOST) + Math.max(0, files.size() - MOST));
  }

  private static String address(long number) {
    return Address.CONSOLE + HERE + "/" + number;
  }
}
