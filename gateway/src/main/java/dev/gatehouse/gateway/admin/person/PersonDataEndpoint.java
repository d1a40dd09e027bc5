package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/person-data}: everything that is stored about a person. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/person-data", produces = "application/json")
@Tag(name = "person-data", description = "Everything that is stored about a person: export and erasure in one step each")
public final class PersonDataEndpoint {

  private static final int LONGEST = 1500;

  /** What was removed, or would be. */
  @Schema(name = "ErasedData")
  public record Erased(
      @Schema(description = "The person's id") String person,
      @Schema(description = "Numbers of entries by kind; kinds without entries are absent") Map<String, Integer> removed) {}

  private final Realms realms;
  private final PersonRecords records;
  private final AdministratorPeople people;
  private final AdminAudit audit;

  PersonDataEndpoint(Realms realms, PersonRecords records, AdministratorPeople people, AdminAudit audit) {
    this.realms = realms;
    this.records = records;
    this.people = people;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "exportPersonData",
      summary = "Everything that is stored about a person, without secrets; events of the audit log as far as they can be searched")
  public PersonRecords.PersonDataExport export(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    Realm found = realm(realm);
    PersonReference who = records.find(found, named(person));
    people.requireMayActOn(realm, who.id());
    audit.record(realm, administrator, "person-data.export", Map.of("person", who.id()));
    return records.export(context(realm), found, who, administrator);
  }

  @DeleteMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "erasePersonData",
      summary =
          "Remove everything that is stored about a person except events of the audit log; the directory is not changed. May be"
              + " repeated")
  public Erased erase(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    Realm found = realm(realm);
    PersonReference who = records.find(found, named(person));
    people.requireMayActOn(realm, who.id());
    audit.record(realm, administrator, "person-data.erase", before(records.counts(found, who), who));
    return new Erased(who.id(), records.erase(context(realm), found, who, administrator));
  }

  /** Returns what an erasure would remove now. */
  public Erased wouldErase(String realm, String person) {
    Realm found = realm(realm);
    PersonReference who = records.find(found, named(person));
    return new Erased(who.id(), records.counts(found, who));
  }

  private static Map<String, String> before(Map<String, Integer> counts, PersonReference who) {
    Map<String, String> details =
        counts.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, count -> count.getValue().toString()));
    details.put("person", who.id());
    return details;
  }

  private static AuditEvent.Context context(String realm) {
    return new AuditEvent.Context(realm, "-", Optional.empty());
  }

  private static String named(String person) {
    if (person.isBlank() || person.length() > LONGEST) {
      throw new BadRequest("`person` is a user name or an id.");
    }
    return person;
  }

  private Realm realm(String name) {
    return realms.find(name).orElseThrow(() -> NotFound.realm(name));
  }
}
