package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.AuthorizationView;
import dev.gatehouse.common.admin.AdminResource.FederationView;
import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.AdminResource.SecondFactorView;
import dev.gatehouse.common.admin.AdminResource.SessionView;
import dev.gatehouse.common.admin.PersonAccess;
import dev.gatehouse.common.admin.PersonAccess.WrongTries;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.admin.PersonRecords.PersonOverview;
import dev.gatehouse.common.admin.SessionAccounts;
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
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/people}: a person of the directory with everything that a help desk asks about. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/people", produces = "application/json")
@Tag(name = "people", description = "People of the directory: what they have here, and what holds them back")
public final class PersonEndpoint {

  private static final int LONGEST = 1500;
  private static final String PERSON = "User name or id";

  /** A person. */
  @Schema(name = "Person")
  public record PersonView(
      @Schema(description = "The directory's id") String person,
      @Schema(description = "The login name; the id of somebody who has left the directory") String name,
      boolean inDirectory,
      List<String> roles,
      List<SessionView> sessions,
      @Schema(description = "What the person lets OAuth clients do") List<AuthorizationView> authorizations,
      @Schema(description = "What the person agreed to release") List<ConsentView> consents,
      @Schema(description = "Persistent names that our identity provider gave (names), and links to local accounts (links)")
          List<FederationView> federation,
      Optional<SecondFactorView> secondFactor,
      @Schema(description = "Absent in a realm without identity provider") Optional<WrongTriesView> wrongTries) {}

  /** A consent. */
  @Schema(name = "Consent")
  public record ConsentView(String partner, List<String> attributes, Instant since) {}

  /** Wrong passwords, codes and passcodes that count against a person. */
  @Schema(name = "WrongTries")
  public record WrongTriesView(
      @Schema(description = "Wrong passwords from browsers in which the person has not logged in before, at all nodes that share their stores")
          int passwords,
      @Schema(description = "Wrong codes, at all nodes that share their stores") int codes,
      @Schema(description = "Wrong codes of apps and passcodes of tokens since the last right one, in all nodes") int passcodes,
      @Schema(description = "How long passwords or codes are refused; absent if they are not") Optional<Long> refusedForSeconds,
      @Schema(description = "Whether no code, or no passcode of a token, is accepted; `unlock` ends it") boolean locked) {

    static WrongTriesView of(WrongTries tries) {
      return new WrongTriesView(
          tries.passwords(), tries.codes(), tries.passcodes(), tries.refusedFor().map(Duration::toSeconds),
          tries.locked());
    }
  }

  /** What was forgotten. */
  @Schema(name = "Unlocked")
  public record Unlocked(@Schema(description = "Number of wrong tries that count no more") int forgotten) {}

  /** What became of the person's sessions at the gateway. */
  @Schema(name = "Reread")
  public record Reread(
      @Schema(description = "Sessions that have other roles, groups or attributes now") int changed,
      @Schema(description = "Sessions that had them already") int unchanged,
      @Schema(
              description =
                  "Sessions whose person left the directory or is disabled there, or which have what an identity provider asserted")
          int ended) {}

  private final Realms realms;
  private final PersonRecords records;
  private final Optional<PersonAccess> access;
  private final Optional<AdminResource.OAuthAuthorizations> authorizations;
  private final Optional<SessionAccounts> accounts;
  private final AdministratorPeople people;
  private final AdminAudit audit;

  /**
   * @param access and the authorizations: empty on a node without identity provider
   * @param accounts empty on a node without gateway
   */
  PersonEndpoint(
      Realms realms,
      PersonRecords records,
      Optional<PersonAccess> access,
      Optional<AdminResource.OAuthAuthorizations> authorizations,
      Optional<SessionAccounts> accounts,
      AdministratorPeople people,
      AdminAudit audit) {
    this.realms = realms;
    this.records = records;
    this.access = access;
    this.authorizations = authorizations;
    this.accounts = accounts;
    this.people = people;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(
      operationId = "getPerson",
      summary = "A person of the directory: sessions, authorizations, consents, names and links, second factors, wrong tries")
  @ApiResponse(responseCode = "200", description = "The person")
  @ApiResponse(responseCode = "404", description = "There is no such realm, or nobody of that name or id")
  public PersonView get(
      @PathVariable("realm") String realm,
      @Parameter(description = PERSON) @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    Realm known = realm(realm);
    PersonReference who = records.find(known, named(person));
    audit.record(realm, administrator, "person.show", Map.of("person", who.id()));
    PersonOverview overview = records.overview(known, who);
    PersonView view =
        new PersonView(
            who.id(),
            who.name(),
            overview.directory().isPresent(),
            overview.directory().map(PersonRecords.DirectoryEntry::roles).orElse(List.of()),
            overview.sessions(),
            authorizations.map(all -> all.ofPerson(realm, who.id())).orElse(List.of()),
            access.map(here -> here.consents(realm, who).stream().map(PersonEndpoint::consent).toList()).orElse(List.of()),
            overview.federation(),
            overview.secondFactor(),
            access.flatMap(here -> here.wrongTries(realm, who)).map(WrongTriesView::of));
    if (!view.inDirectory() && isEmpty(view)) {
      throw new NotFound("The directory has nobody of that name or id, and nothing is stored about such a person.");
    }
    return view;
  }

  private static boolean isEmpty(PersonView view) {
    return view.sessions().isEmpty() && view.authorizations().isEmpty() && view.consents().isEmpty() && view.federation().isEmpty();
  }

  private static ConsentView consent(PersonAccess.Agreed agreed) {
    return new ConsentView(agreed.partner(), agreed.attributes(), agreed.since());
  }

  @PostMapping("/unlock")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "unlockPerson",
      summary = "Forget wrong passwords, codes and passcodes of a person, who can try again at once; addresses that guessed stay slowed")
  @ApiResponse(responseCode = "200", description = "They count no more, at all nodes that share their stores")
  @ApiResponse(responseCode = "404", description = "There is no such realm, or this node has no identity provider")
  public Unlocked unlock(
      @PathVariable("realm") String realm,
      @Parameter(description = PERSON) @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    PersonReference who = permitted(realm, person);
    PersonAccess here = access();
    audit.record(realm, administrator, "person.unlock", unlocking(who, here.wrongTries(realm, who)));
    return new Unlocked(here.unlock(realm, who));
  }

  private static Map<String, String> unlocking(PersonReference who, Optional<WrongTries> before) {
    return Map.of(
        "person", who.id(),
        "passwords", before.map(tries -> String.valueOf(tries.passwords())).orElse("-"),
        "codes", before.map(tries -> String.valueOf(tries.codes())).orElse("-"),
        "passcodes", before.map(tries -> String.valueOf(tries.passcodes())).orElse("-"));
  }

  @PostMapping("/reread")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "rereadPerson",
      summary = "Give a person's sessions at the gateway the roles, groups and attributes that the directory has now")
  @ApiResponse(responseCode = "200", description = "They count with the next request, at every node")
  @ApiResponse(responseCode = "404", description = "There is no such realm, or nobody of that name or id, or this node has no gateway")
  @ApiResponse(responseCode = "503", description = "The directory does not answer: sessions that are not counted yet stay as they were")
  public Reread reread(
      @PathVariable("realm") String realm,
      @Parameter(description = PERSON) @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    PersonReference who = permitted(realm, person);
    SessionAccounts here = accounts.orElseThrow(() -> new NotFound("This node has no gateway."));
    PersonOverview overview = records.overview(realm(realm), who);
    if (overview.directory().isEmpty() && overview.sessions().isEmpty()) {
      throw new NotFound("The directory has nobody of that name or id, and there is no session of such a person.");
    }
    audit.record(realm, administrator, "person.reread", Map.of("person", who.id()));
    Map<SessionAccounts.Reread, Integer> counts = new EnumMap<>(SessionAccounts.Reread.class);
    overview.sessions().stream()
        .filter(session -> session.kind().equals(PersonRecords.AT_APPS))
        .forEach(session -> counts.merge(here.reread(realm, session.id()), 1, Integer::sum));
    return new Reread(
        counts.getOrDefault(SessionAccounts.Reread.CHANGED, 0),
        counts.getOrDefault(SessionAccounts.Reread.UNCHANGED, 0),
        counts.getOrDefault(SessionAccounts.Reread.ENDED, 0));
  }

  @DeleteMapping("/consents")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "endConsent",
      summary = "End a person's consent, with the authorizations of the client: the next login asks again")
  @ApiResponse(responseCode = "204", description = "The consent has ended")
  @ApiResponse(responseCode = "404", description = "There is no such realm or consent")
  public void endConsent(
      @PathVariable("realm") String realm,
      @Parameter(description = PERSON) @RequestParam("person") String person,
      @Parameter(description = "`partner` of the consent") @RequestParam("partner") String partner,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    PersonReference who = permitted(realm, person);
    audit.record(realm, administrator, "consent.end", Map.of("person", who.id(), "partner", partner));
    if (!access().endConsent(realm, who, partner)) {
      throw new NotFound("The person has no consent for that partner.");
    }
  }

  private PersonReference permitted(String realm, String person) {
    PersonReference who = records.find(realm(realm), named(person));
    people.requireMayActOn(realm, who.id(), who.name());
    people.requireMayActOn(realm, who.id());
    return who;
  }

  private Realm realm(String name) {
    return realms.find(name).orElseThrow(() -> NotFound.realm(name));
  }

  private PersonAccess access() {
    return access.orElseThrow(NotFound::identityProvider);
  }

  private static String named(String person) {
    if (person.isBlank() || person.length() > LONGEST) {
      throw new BadRequest("`person` is a user name or id.");
    }
    return person;
  }
}
