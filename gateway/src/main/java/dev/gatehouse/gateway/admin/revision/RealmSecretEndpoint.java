package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.revision.SecretEndpoint.SecretValueView;
import dev.gatehouse.gateway.admin.revision.SecretEndpoint.SecretsView;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
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

/** {@code /admin/v1/realms/{realm}/secrets}: the named secrets that belong to one realm, for its administrators. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/secrets", produces = "application/json")
@Tag(name = "secrets", description = "Named secrets of a configuration in the database: {secret: NAME}")
final class RealmSecretEndpoint {

  private static final String NAME = "Its whole name, which begins with that of the realm and a dot";

  private final SecretEndpoint secrets;
  private final RevisionChanges changes;

  RealmSecretEndpoint(SecretEndpoint secrets, RevisionChanges changes) {
    this.secrets = secrets;
    this.changes = changes;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listRealmSecrets", summary = "The named secrets that belong to the realm, without their values")
  @ApiResponse(responseCode = "200", description = "The secrets")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, whose secrets are files, too")
  SecretsView all(
      @PathVariable("realm") String realm,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    return secrets.within(new ChangeScope.OneRealm(realm), after, limit);
  }

  @PutMapping("/{name}")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(operationId = "putRealmSecret", summary = "Store a secret of the realm; where the revision in use names it, the new value takes effect at once")
  @ApiResponse(responseCode = "200", description = "The value is stored; `before` is the revision in use now")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, whose secrets are files, too")
  @ApiResponse(responseCode = "422", description = "The configuration in use cannot have that value, or is more than the realm is granted; nothing was changed")
  ResponseEntity<PlanView> put(
      @PathVariable("realm") String realm,
      @Parameter(description = NAME) @PathVariable("name") String name,
      @RequestBody SecretValueView value,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    changes.stored();
    requireOwn(realm, name);
    return secrets.keep(name, value, rights.administrator(), changes.scope(rights, realm));
  }

  @DeleteMapping("/{name}")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @Operation(operationId = "deleteRealmSecret", summary = "Remove a secret of the realm that the revision in use does not name")
  @ApiResponse(responseCode = "204", description = "The secret is removed; revisions that name it cannot be brought back until it is stored again")
  @ApiResponse(responseCode = "404", description = "There is no such secret")
  @ApiResponse(responseCode = "409", description = "The revision in use names it, or the configuration is read from files")
  void remove(
      @PathVariable("realm") String realm,
      @Parameter(description = NAME) @PathVariable("name") String name,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    changes.stored();
    requireOwn(realm, name);
    secrets.discard(name, rights.administrator(), changes.scope(rights, realm));
  }

  private static void requireOwn(String realm, String name) {
    if (!FileTree.isSecretOfRealm(realm, name)) {
      throw new BadRequest("Names of this realm's secrets begin with `" + realm + ".`, like `" + realm + ".crm`.");
    }
  }
}
