package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.admin.ReleaseView;
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
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/releases}: what a login would tell a partner about a person, and why. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/releases", produces = "application/json")
@Tag(name = "releases", description = "What a login would tell a partner about a person; nobody logs in, and nothing is sent")
public final class ReleaseEndpoint {

  private static final int LONGEST = 1500;

  private final Realms realms;
  private final Optional<AdminResource.AttributeReleases> releases;
  private final PersonRecords records;
  private final AdministratorPeople people;
  private final AdminAudit audit;

  /** @param releases empty on a node without identity provider */
  ReleaseEndpoint(
      Realms realms,
      Optional<AdminResource.AttributeReleases> releases,
      PersonRecords records,
      AdministratorPeople people,
      AdminAudit audit) {
    this.realms = realms;
    this.releases = releases;
    this.records = records;
    this.people = people;
    this.audit = audit;
  }

  @GetMapping("/service-provider")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(
      operationId = "showReleaseToServiceProvider",
      summary = "What an assertion about a person to a service provider would contain, and why each value is released or withheld")
  @ApiResponse(responseCode = "404", description = "The realm has no such person, or no such service provider with usable metadata")
  public ReleaseView toServiceProvider(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(description = "Its entity ID") @RequestParam("partner") String partner,
      @Parameter(description = "AttributeConsumingServiceIndex of the AuthnRequest; without it all configured attributes are requested")
          @RequestParam(name = "attributeService", required = false)
          Optional<Integer> attributeService,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    PersonReference who = permitted(realm, person, partner, administrator);
    return found(() -> releases().toServiceProvider(realm, who.id(), partner, attributeService), "service provider " + partner);
  }

  @GetMapping("/client")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(
      operationId = "showReleaseToClient",
      summary =
          "Which claims about a person ID tokens, UserInfo and access tokens for a client would have, and why each is released or"
              + " withheld")
  @ApiResponse(responseCode = "404", description = "The realm has no such person, or no such client")
  public ReleaseView toClient(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(description = "Its client ID") @RequestParam("client") String client,
      @Parameter(description = "As in the authorization request; without it all scopes that the client may have")
          @RequestParam(name = "scope", required = false)
          Optional<String> scope,
      @Parameter(description = "As in the authorization request (OpenID Connect Core 5.5)")
          @RequestParam(name = "claims", required = false)
          Optional<String> claims,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    PersonReference who = permitted(realm, person, client, administrator);
    return found(() -> releases().toClient(realm, who.id(), client, scope, claims), "client " + client);
  }

  private PersonReference permitted(String realm, String person, String partner, String administrator) {
    Realm known = realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
    PersonReference who = records.find(known, given(person, "person"));
    people.requireMayActOn(realm, who.id());
    audit.record(realm, administrator, "release.show", Map.of("person", who.id(), "partner", given(partner, "partner")));
    return who;
  }

  private static ReleaseView found(Supplier<Optional<ReleaseView>> release, String partner) {
    try {
      return release.get().orElseThrow(() -> new NotFound("The realm has no such person, or no " + partner + "."));
    } catch (IllegalArgumentException e) {
      throw new BadRequest(String.valueOf(e.getMessage()));
    }
  }

  private static String given(String value, String name) {
    if (value.isBlank() || value.length() > LONGEST) {
      throw new BadRequest("`" + name + "` has 1 to " + LONGEST + " characters.");
    }
    return value;
  }

  private AdminResource.AttributeReleases releases() {
    return releases.orElseThrow(NotFound::identityProvider);
  }
}
