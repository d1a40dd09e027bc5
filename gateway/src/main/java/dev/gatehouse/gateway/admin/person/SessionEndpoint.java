package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.SessionView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/sessions}: lists and ends sessions of every kind. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/sessions", produces = "application/json")
@Tag(name = "sessions", description = "Sessions at the identity provider (idp) and at the gateway (app)")
public final class SessionEndpoint {

  /** A page of sessions. */
  @Schema(name = "Sessions")
  public record SessionPage(
      List<SessionView> sessions,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  /** The number of ended sessions. */
  @Schema(name = "Ended")
  public record Ended(int ended) {}

  private final Realms realms;
  private final Map<String, AdminResource.Sessions> kinds = new TreeMap<>();
  private final AdministratorPeople people;
  private final AdminAudit audit;

  SessionEndpoint(Realms realms, List<AdminResource.Sessions> resources, AdministratorPeople people, AdminAudit audit) {
    this.realms = realms;
    this.people = people;
    this.audit = audit;
    resources.forEach(resource -> kinds.put(resource.kind(), resource));
  }

  @GetMapping("/{kind}")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listSessions", summary = "A page of sessions of one kind")
  SessionPage page(
      @PathVariable("realm") String realm,
      @Parameter(description = "idp or app", schema = @Schema(allowableValues = {"idp", "app"}))
          @PathVariable("kind")
          String kind,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of sessions, up to 500") @RequestParam(name = "limit", defaultValue = "100")
          int limit) {
    AdminResource.Sessions sessions = sessions(realm, kind);
    return Paging.page(limit, most -> sessions.page(realm, after, most), SessionView::id, SessionPage::new);
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "findSessions", summary = "All sessions of a person, of every kind")
  public SessionPage ofPerson(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person) {
    return new SessionPage(all(realm, person), Optional.empty());
  }

  @DeleteMapping("/{kind}/{session}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "endSession", summary = "End one session")
  public void end(
      @PathVariable("realm") String realm,
      @Parameter(description = "idp or app", schema = @Schema(allowableValues = {"idp", "app"}))
          @PathVariable("kind")
          String kind,
      @PathVariable("session") String session,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.Sessions sessions = sessions(realm, kind);
    sessions.find(realm, session).ifPresent(people::requireMayActOn);
    audit.record(realm, administrator, "session.end", Map.of("kind", kind, "session", session));
    if (!sessions.end(realm, session, administrator)) {
      throw new NotFound("There is no such session.");
    }
  }

  @DeleteMapping
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "endSessionsOfPerson", summary = "End all sessions of a person, of every kind")
  public Ended endAll(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    List<SessionView> found = all(realm, person);
    people.requireMayActOn(realm, person);
    found.forEach(people::requireMayActOn);
    audit.record(realm, administrator, "session.end-all", Map.of("person", person));
    int ended = 0;
    for (SessionView session : found) {
      ended += sessions(realm, session.kind()).end(realm, session.id(), administrator) ? 1 : 0;
    }
    return new Ended(ended);
  }

  private List<SessionView> all(String realm, String person) {
    requireRealm(realm);
    List<SessionView> found = new ArrayList<>();
    kinds.values().forEach(kind -> found.addAll(kind.ofPerson(realm, person)));
    return List.copyOf(found);
  }

  private AdminResource.Sessions sessions(String realm, String kind) {
    requireRealm(realm);
    return Optional.ofNullable(kinds.get(kind))
        .orElseThrow(() -> new NotFound("Kinds of sessions here: " + String.join(", ", kinds.keySet()) + "."));
  }

  private void requireRealm(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
  }
}
