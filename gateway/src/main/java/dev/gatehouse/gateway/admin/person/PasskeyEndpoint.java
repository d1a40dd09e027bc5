package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PasskeyView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /admin/v1/realms/{realm}/passkeys}: shows and removes the passkeys of a person, for example of one who has lost the device.
 */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/passkeys", produces = "application/json")
@Tag(name = "passkeys", description = "Passkeys of people at the identity provider")
public final class PasskeyEndpoint {
  private final Realms realms;
  private final Optional<AdminResource.PasskeyAdmin> passkeys;
  private final AdministratorPeople people;
  private final AdminAudit audit;

  /** @param passkeys empty on a node without identity provider */
  PasskeyEndpoint(Realms realms, Optional<AdminResource.PasskeyAdmin> passkeys, AdministratorPeople people, AdminAudit audit) {
    this.realms = realms;
    this.passkeys = passkeys;
    this.people = people;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listPasskeys", summary = "The passkeys of a person; none if nobody is called that")
  public List<PasskeyView> ofPerson(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person) {
    return passkeys(realm).ofPerson(realm, person);
  }

  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "removePasskeys", summary = "Remove one passkey of a person, or all; an authenticator app stays")
  public void remove(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(description = "Of the passkey; all of the person if absent") @RequestParam("id") Optional<String> id,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.PasskeyAdmin here = passkeys(realm);
    people.requireMayActOn(realm, person);
    audit.record(realm, administrator, "passkeys.remove", Map.of("person", person, "id", id.orElse("*")));
    if (!here.remove(realm, person, id)) {
      throw new NotFound("There is no such person, or no such passkey.");
    }
  }

  private AdminResource.PasskeyAdmin passkeys(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
    return passkeys.orElseThrow(NotFound::identityProvider);
  }
}
