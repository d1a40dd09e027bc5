package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
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
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/passkeys}: removes the passkeys of a person, for example of one who has lost the device. */
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

  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "removePasskeys", summary = "Remove all passkeys of a person; an authenticator app stays")
  public void remove(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    if (realms.find(realm).isEmpty()) {
      throw new NotFound("There is no realm " + realm + ".");
    }
    AdminResource.PasskeyAdmin here = passkeys.orElseThrow(() -> new NotFound("This node has no identity provider."));
    people.requireMayActOn(realm, person);
    audit.record(realm, administrator, "passkeys.remove", Map.of("person", person));
    if (!here.removeAll(realm, person)) {
      throw new NotFound("There is no such person, or no passkey.");
    }
  }
}
