package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.FederationView;
import dev.gatehouse.common.admin.AdminResource.PartnerNotification;
import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import dev.gatehouse.common.federation.BulkFederation.Reason;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.BadRequest;
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
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/federation}: persistent identifiers and links between people and partners. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/federation", produces = "application/json")
@Tag(
    name = "federation",
    description = "Persistent names that our identity provider gave (names), and links to local accounts (links)")
public final class FederationEndpoint {

  private static final int MAX_LINES = 1000;

  /** A page of names or links. */
  @Schema(name = "Federations")
  public record FederationPage(
      List<FederationView> federations,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  /** People to federate. */
  @Schema(name = "BulkLines")
  record BulkRequest(
      @Schema(description = "1,000 at most") List<BulkLine> lines) {}

  /** One person to federate. */
  @Schema(name = "BulkLine")
  record BulkLine(
      @Schema(description = "Login name here") String local,
      @Schema(description = "The name identifier of the person; generated if absent, for names only")
          Optional<String> nameId) {}

  /** The results, in the order of the lines. */
  @Schema(name = "BulkOutcomes")
  record BulkOutcomes(List<BulkOutcome> outcomes) {}

  /** The result of one line. */
  @Schema(name = "BulkOutcome")
  record BulkOutcome(
      @Schema(description = "Present if the person is federated") Optional<String> nameId,
      @Schema(description = "False if it existed before") boolean isNew,
      @Schema(description = "Present if the line was rejected") Optional<Reason> rejected) {

    static BulkOutcome of(Outcome outcome) {
      return switch (outcome) {
        case Outcome.Federated(String nameId, boolean isNew) ->
            new BulkOutcome(Optional.of(nameId), isNew, Optional.empty());
        case Outcome.Rejected(Reason reason) -> new BulkOutcome(Optional.empty(), false, Optional.of(reason));
      };
    }
  }

  private final Realms realms;
  private final Map<String, AdminResource.Federations> kinds = new TreeMap<>();
  private final AdministratorPeople people;
  private final AdminAudit audit;

  FederationEndpoint(Realms realms, List<AdminResource.Federations> resources, AdministratorPeople people, AdminAudit audit) {
    this.realms = realms;
    this.people = people;
    this.audit = audit;
    resources.forEach(resource -> kinds.put(resource.kind(), resource));
  }

  @GetMapping("/{kind}")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listFederations", summary = "A page of names or links of one partner")
  FederationPage page(
      @PathVariable("realm") String realm,
      @Parameter(description = "names or links", schema = @Schema(allowableValues = {"names", "links"}))
          @PathVariable("kind")
          String kind,
      @Parameter(description = "Entity ID") @RequestParam("partner") String partner,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "500 at most") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    AdminResource.Federations federations = kind(realm, kind);
    return Paging.page(
        limit, most -> federations.page(realm, partner, after, most), FederationView::nameId, FederationPage::new);
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "findFederations", summary = "All names and links of a person")
  public FederationPage ofPerson(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person) {
    requireRealm(realm);
    List<FederationView> found = new ArrayList<>();
    kinds.values().forEach(kind -> found.addAll(kind.ofPerson(realm, person)));
    return new FederationPage(List.copyOf(found), Optional.empty());
  }

  @DeleteMapping("/{kind}")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(operationId = "endFederation", summary = "End a name or a link, and notify the partner by SOAP if possible")
  public PartnerNotification end(
      @PathVariable("realm") String realm,
      @Parameter(description = "names or links", schema = @Schema(allowableValues = {"names", "links"}))
          @PathVariable("kind")
          String kind,
      @RequestParam("partner") String partner,
      @RequestParam("nameId") String nameId,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.Federations federations = kind(realm, kind);
    requireMayActOn(federations, realm, partner, nameId);
    audit.record(realm, administrator, "federation.end", Map.of("kind", kind, "partner", partner, "nameId", nameId));
    return federations.end(realm, partner, nameId, administrator).orElseThrow(FederationEndpoint::nothing);
  }

  @PostMapping("/{kind}/renew")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "renewFederation",
      summary = "Change the value of a name, or send the identity provider the person's name here")
  PartnerNotification renew(
      @PathVariable("realm") String realm,
      @Parameter(description = "names or links", schema = @Schema(allowableValues = {"names", "links"}))
          @PathVariable("kind")
          String kind,
      @RequestParam("partner") String partner,
      @RequestParam("nameId") String nameId,
      @Parameter(description = "For links: the name of the person here (SPProvidedID)") @RequestParam("calledHere")
          Optional<String> calledHere,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.Federations federations = kind(realm, kind);
    requireMayActOn(federations, realm, partner, nameId);
    audit.record(realm, administrator, "federation.renew", Map.of("kind", kind, "partner", partner, "nameId", nameId));
    return federations
        .renew(realm, partner, nameId, calledHere, administrator)
        .orElseThrow(FederationEndpoint::nothing);
  }

  @PostMapping("/{kind}/bulk")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "federateMany",
      summary = "Federate many people at once; idempotent")
  BulkOutcomes bulk(
      @PathVariable("realm") String realm,
      @Parameter(description = "names or links", schema = @Schema(allowableValues = {"names", "links"}))
          @PathVariable("kind")
          String kind,
      @RequestParam("partner") String partner,
      @RequestBody BulkRequest request,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.Federations federations = kind(realm, kind);
    requirePartner(realm, partner);
    List<Line> lines = lines(request);
    // Who links an account to a name of another identity provider decides who logs in as that person.
    people.requireMayActOnAll(realm);
    audit.record(
        realm,
        administrator,
        "federation.bulk",
        Map.of("kind", kind, "partner", partner, "lines", String.valueOf(lines.size())));
    return new BulkOutcomes(federations.bulk(realm, partner, lines).stream().map(BulkOutcome::of).toList());
  }

  /** Jackson passes null for a missing property, even if the component is not nullable. */
  private static List<Line> lines(BulkRequest request) {
    if (request.lines() == null
        || request.lines().stream().anyMatch(line -> line == null || line.local() == null || line.nameId() == null)) {
      throw new BadRequest("lines is a list of objects with local, and nameId where there is one.");
    }
    if (request.lines().size() > MAX_LINES) {
      throw new BadRequest("There are more than " + MAX_LINES + " lines.");
    }
    return request.lines().stream().map(line -> new Line(line.local(), line.nameId())).toList();
  }

  private void requireMayActOn(AdminResource.Federations federations, String realm, String partner, String nameId) {
    federations.find(realm, partner, nameId).ifPresent(found -> people.requireMayActOn(realm, found.person(), found.person()));
  }

  private static NotFound nothing() {
    return new NotFound("There is no such name or link.");
  }

  private AdminResource.Federations kind(String realm, String kind) {
    requireRealm(realm);
    return Optional.ofNullable(kinds.get(kind))
        .orElseThrow(() -> new NotFound("Kinds here: " + String.join(", ", kinds.keySet()) + "."));
  }

  private void requirePartner(String realm, String partner) {
    if (requireRealm(realm).parties().partners().stream().noneMatch(known -> known.entityId().equals(partner))) {
      throw new NotFound("There is no partner " + partner + ".");
    }
  }

  private Realm requireRealm(String realm) {
    return realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
  }
}
