package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.SecondFactorView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
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
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /admin/v1/realms/{realm}/second-factors}: shows and removes second factors, for example of a person who has
 * lost the phone and the recovery codes.
 */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/second-factors", produces = "application/json")
@Tag(name = "second-factors", description = "Authenticator apps and recovery codes of people at the identity provider")
public final class SecondFactorEndpoint {
  private final Realms realms;
  private final Optional<AdminResource.SecondFactorAdmin> factors;
  private final AdministratorPeople people;
  private final AdminAudit audit;

  /** @param factors empty on a node without identity provider */
  SecondFactorEndpoint(
      Realms realms, Optional<AdminResource.SecondFactorAdmin> factors, AdministratorPeople people, AdminAudit audit) {
    this.realms = realms;
    this.factors = factors;
    this.people = people;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "findSecondFactor", summary = "The second factor of a person")
  public SecondFactorView ofPerson(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person) {
    return factors(realm).ofPerson(realm, person).orElseThrow(() -> new NotFound("There is no such person."));
  }

  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "resetSecondFactor",
      summary = "Remove the second factor of a person; the next login asks for the password alone, or sets up a new one")
  public void reset(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.SecondFactorAdmin here = factors(realm);
    people.requireMayActOn(realm, person);
    audit.record(realm, administrator, "second-factor.reset", Map.of("person", person));
    if (!here.reset(realm, person)) {
      throw new NotFound("There is no such person, or nothing to reset.");
    }
  }

  @PostMapping("/confirmation")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "confirmSecondFactor",
      summary =
          "After a loss of second factors: allow the person, or without person everybody of the realm (role admin),"
              + " to set one up with the password alone")
  public void confirm(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam("person") Optional<String> person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    if (person.isEmpty()) {
      rights.require(AdministratorRole.ADMIN, realm);
    }
    AdminResource.SecondFactorAdmin here = factors(realm);
    person.ifPresentOrElse(named -> people.requireMayActOn(realm, named), () -> people.requireMayActOnAll(realm));
    audit.record(realm, rights.administrator(), "second-factor.confirm", Map.of("person", person.orElse("*")));
    if (!here.confirm(realm, person)) {
      throw new NotFound("There is no such person.");
    }
  }

  private AdminResource.SecondFactorAdmin factors(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
    return factors.orElseThrow(NotFound::identityProvider);
  }
}
