package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.AppSecretView;
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
 * {@code /admin/v1/realms/{realm}/app-secrets}: the names of the secrets that people have stored for the login forms of
 * apps.
 */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/app-secrets", produces = "application/json")
@Tag(name = "app-secrets", description = "Credentials that people have stored for login forms of apps; values are never shown")
public final class AppSecretEndpoint {
  private final Realms realms;
  private final Optional<AdminResource.StoredSecrets> secrets;
  private final AdministratorPeople people;
  private final AdminAudit audit;

  /** @param secrets empty on a node without service provider */
  AppSecretEndpoint(
      Realms realms, Optional<AdminResource.StoredSecrets> secrets, AdministratorPeople people, AdminAudit audit) {
    this.realms = realms;
    this.secrets = secrets;
    this.people = people;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listAppSecrets", summary = "The names of a person's stored credentials")
  public List<AppSecretView> ofPerson(
      @PathVariable("realm") String realm,
      @Parameter(description = "The person's id, as in sessions at the gateway") @RequestParam("person") String person) {
    return secrets(realm).ofPerson(realm, person);
  }

  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "deleteAppSecrets", summary = "Delete a person's stored credentials for an app")
  public void remove(
      @PathVariable("realm") String realm,
      @Parameter(description = "The person's id, as in sessions at the gateway") @RequestParam("person") String person,
      @RequestParam("app") String app,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.StoredSecrets here = secrets(realm);
    people.requireMayActOn(realm, person);
    audit.record(realm, administrator, "app-secrets.delete", Map.of("person", person, "app", app));
    if (!here.remove(realm, person, app, administrator)) {
      throw new NotFound("There is nothing stored for that person and app.");
    }
  }

  private AdminResource.StoredSecrets secrets(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
    return secrets.orElseThrow(NotFound::serviceProvider);
  }
}
