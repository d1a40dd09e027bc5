package dev.gatehouse.gateway.admin.administrator;

import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.Change;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /admin/v1/administrators}: the roles of people of the realm {@code admin.realm}. A person has at most one role for a realm, and
 * one for all realms. Who has the role admin where a role counts gives and takes it, so nobody gives more than they have.
 */
@RestController
@RequestMapping(path = "/admin/v1/administrators", produces = "application/json")
@Tag(name = "administrators", description = "Roles of people as administrators; administrator keys are made on the host")
public final class AdministratorEndpoint {

  /** A page of administrators. */
  @Schema(name = "Administrators")
  public record AdministratorPage(
      List<AdministratorView> administrators,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  /** A person with roles. */
  @Schema(name = "Administrator")
  public record AdministratorView(
      @Schema(description = "The directory's id of the person") String person,
      @Schema(description = "User name when the last role was granted; the directory may say another one now") String name,
      List<GrantView> grants) {}

  /** A role. */
  @Schema(name = "AdministratorGrant")
  public record GrantView(
      @Schema(description = "viewer, helpdesk, operator or admin") String role,
      @Schema(description = "Where it counts; absent for all realms") Optional<String> realm,
      @Schema(description = "When it ends by itself; absent: never") Optional<Instant> expiresAt,
      String grantedBy,
      Instant grantedAt) {

    static GrantView of(PersonGrant grant) {
      return new GrantView(
          grant.grant().role().word(), grant.grant().realm(), grant.expiresAt(), grant.grantedBy(), grant.grantedAt());
    }
  }

  /** A role to grant. */
  @Schema(name = "GrantRequest")
  public record GrantRequest(
      @Schema(description = "viewer, helpdesk, operator or admin", allowableValues = {"viewer", "helpdesk", "operator", "admin"})
          String role,
      @Schema(description = "When it ends by itself; absent: never") Optional<Instant> expiresAt) {}

  /**
   * What a change would do.
   *
   * @param person the directory's id
   * @param before the roles that would end, as written in the audit log; {@code -} if there is none
   * @param after the role that would begin, or {@code -}
   */
  public record Planned(String person, String name, String before, String after) {}

  private final Realms realms;
  private final AdministratorPeople people;
  private final AdministratorGrants grants;
  private final AdminAudit audit;
  private final InstantSource time;

  AdministratorEndpoint(
      Realms realms, AdministratorPeople people, AdministratorGrants grants, AdminAudit audit, InstantSource time) {
    this.realms = realms;
    this.people = people;
    this.grants = grants;
    this.audit = audit;
    this.time = time;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.ADMIN, checksRealms = true)
  @Operation(operationId = "listAdministrators", summary = "A page of people with roles, ordered by their ids")
  public AdministratorPage page(
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of people, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    Map<String, List<PersonGrant>> shown =
        grants.all(realm()).stream()
            .filter(grant -> administers(rights, grant))
            .filter(grant -> grant.person().value().compareTo(after) > 0)
            .collect(Collectors.groupingBy(grant -> grant.person().value(), TreeMap::new, Collectors.toList()));
    return Paging.page(
        limit,
        most -> shown.values().stream().limit(most).map(AdministratorEndpoint::view).toList(),
        AdministratorView::person,
        AdministratorPage::new);
  }

  /** Realm administrators see the roles in their realms. */
  private static boolean administers(AdminRights rights, PersonGrant grant) {
    return grant
        .grant()
        .realm()
        .map(realm -> rights.may(AdministratorRole.ADMIN, realm))
        .orElseGet(() -> rights.mayEverywhere(AdministratorRole.ADMIN));
  }

  private static AdministratorView view(List<PersonGrant> ofPerson) {
    PersonGrant any = ofPerson.getLast();
    return new AdministratorView(any.person().value(), any.name(), ofPerson.stream().map(GrantView::of).toList());
  }

  @PutMapping("/{person}")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "grantAdministrator",
      summary = "Grant a person a role, in place of the person's role for the same realm, or for all realms")
  public GrantView grant(
      @Parameter(description = "User name or id of a person of the realm `admin.realm`") @PathVariable("person") String person,
      @Parameter(description = "Where the role counts; absent for all realms") @RequestParam(name = "realm", required = false)
          Optional<String> realm,
      @Parameter(description = "true: even if no lasting administrator of all realms remains")
          @RequestParam(name = "evenLast", defaultValue = "false")
          boolean evenLast,
      @RequestBody GrantRequest wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    PersonGrant grant = wanted(person, realm, wanted, administrator);
    Planned planned = planned(grant);
    audit.record(
        realm.orElse(AdminRights.NODE), administrator, "administrator.grant",
        Map.of("person", planned.person(), "name", planned.name(), "before", planned.before(), "after", planned.after()));
    if (grants.put(grant, evenLast) == Change.LAST) {
      throw last();
    }
    return GrantView.of(grant);
  }

  /** Returns what a grant would do, after the same checks. */
  public Planned wouldGrant(String person, Optional<String> realm, GrantRequest wanted, String administrator) {
    return planned(wanted(person, realm, wanted, administrator));
  }

  private Planned planned(PersonGrant grant) {
    String before = before(grant.realm(), grant.person(), role -> role.realm().equals(grant.grant().realm()));
    return new Planned(grant.person().value(), grant.name(), before, text(grant));
  }

  private PersonGrant wanted(String person, Optional<String> realm, GrantRequest wanted, String administrator) {
    String of = realm();
    requireRealm(realm);
    Instant now = time.instant();
    AdministratorRole role =
        AdministratorRole.of(String.valueOf(wanted.role()))
            .orElseThrow(() -> new BadRequest("`role` is not a role; write viewer, helpdesk, operator or admin."));
    if (wanted.expiresAt().filter(end -> !end.isAfter(now)).isPresent()) {
      throw new BadRequest("`expiresAt` is in the past; write a later time, or leave it out.");
    }
    Person found =
        people.logins().find(of, person).orElseThrow(() -> new NotFound("There is no such person in the realm " + of + "."));
    return new PersonGrant(of, found.id(), found.name(), new AdministratorGrant(role, realm), wanted.expiresAt(), administrator, now);
  }

  @DeleteMapping("/{person}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "revokeAdministrator",
      summary = "Take the person's role for a realm, or without `realm` all roles; it counts no more from the next request on")
  public void revoke(
      @Parameter(description = "User name or id of a person") @PathVariable("person") String person,
      @Parameter(description = "The realm that the role is for; absent for all roles of the person")
          @RequestParam(name = "realm", required = false)
          Optional<String> realm,
      @Parameter(description = "true: even if no lasting administrator of all realms remains")
          @RequestParam(name = "evenLast", defaultValue = "false")
          boolean evenLast,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    String of = realm();
    requireNotEmpty(realm);
    PersonId id = meant(of, person);
    audit.record(
        realm.orElse(AdminRights.NODE), administrator, "administrator.revoke",
        Map.of("person", id.value(), "before", before(of, id, ended(realm)), "after", "-"));
    switch (grants.remove(of, id, realm, evenLast)) {
      case DONE -> {}
      case ABSENT ->
          throw new NotFound("There is no such person with a role" + realm.map(name -> " for the realm " + name).orElse("") + ".");
      case LAST -> throw last();
    }
  }

  /** Returns what a revocation would do. */
  public Planned wouldRevoke(String person, Optional<String> realm) {
    String of = realm();
    requireNotEmpty(realm);
    PersonId id = meant(of, person);
    String name = grants.of(of, id).stream().map(PersonGrant::name).findFirst().orElse(person);
    return new Planned(id.value(), name, before(of, id, ended(realm)), "-");
  }

  /** Roles for realms that are gone are taken, too. */
  private static void requireNotEmpty(Optional<String> realm) {
    if (realm.filter(String::isEmpty).isPresent()) {
      throw new BadRequest("`realm` is empty; leave it out for all roles of the person.");
    }
  }

  private static Predicate<AdministratorGrant> ended(Optional<String> realm) {
    return role -> realm.isEmpty() || role.realm().equals(realm);
  }

  /** Also somebody who has left the directory, or was renamed, or whose directory is down. */
  private PersonId meant(String of, String person) {
    List<PersonGrant> all = grants.all(of);
    Optional<PersonId> byId = all.stream().map(PersonGrant::person).filter(id -> id.value().equals(person)).findFirst();
    if (byId.isPresent()) {
      return byId.get();
    }
    Optional<PersonId> inDirectory = inDirectory(of, person);
    List<PersonId> byName = all.stream().filter(grant -> grant.name().equals(person)).map(PersonGrant::person).distinct().toList();
    return inDirectory.or(() -> byName.size() == 1 ? Optional.of(byName.getFirst()) : Optional.empty()).orElse(new PersonId(person));
  }

  private Optional<PersonId> inDirectory(String of, String person) {
    try {
      return people.logins().find(of, person).map(Person::id);
    } catch (DirectoryUnavailable e) {
      return Optional.empty();
    }
  }

  private String before(String of, PersonId person, Predicate<AdministratorGrant> ending) {
    String roles =
        grants.of(of, person).stream()
            .filter(grant -> ending.test(grant.grant()))
            .map(AdministratorEndpoint::text)
            .collect(Collectors.joining(", "));
    return roles.isEmpty() ? "-" : roles;
  }

  private static String text(PersonGrant grant) {
    return grant.grant() + grant.expiresAt().map(end -> " until " + end).orElse("");
  }

  private String realm() {
    return people
        .login()
        .map(AdminLogin::realm)
        .orElseThrow(() -> new Conflict("People cannot be administrators here: gatehouse.yaml names no realm in `admin.realm`."));
  }

  private void requireRealm(Optional<String> realm) {
    if (realm.filter(name -> realms.find(name).isEmpty()).isPresent()) {
      throw new BadRequest("`realm` names no realm; leave it out for all realms.");
    }
  }

  private static Conflict last() {
    return new Conflict(
        "Nobody else has the role admin in all realms without an end, so that only keys would open the administration then. Grant it to"
            + " somebody else first, or say `evenLast=true`.");
  }
}
