package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /admin/v1/configuration/realms/{realm}}: a realm without its lists, with the keys of the configuration: contracts of logins,
 * directory, look and so on.
 */
@RestController
@RequestMapping(path = "/admin/v1/configuration/realms/{realm}", produces = "application/json")
@Tag(name = "settings", description = "Realms without their lists: idp with its contracts, sp, directory …, with the keys of the configuration")
final class RealmSettingsEndpoint {

  private static final String EXAMPLE =
      """
      {"idp": {"publicUrl": "https://login.example.org"},
       "directory": {"urls": ["ldaps://ldap.example.org"], "base": "dc=example,dc=org"}}""";
  private static final String PATCH =
      """
      {"idp": {"contracts": {"totp": {"enrolment": "account"}}}}""";
  private static final String IF_MATCH = "The revision that the change was made for, in quotation marks";
  private static final String REASON = "Why, for people who read the revisions later";
  private static final String LISTS =
      "Partners, clients, providers, policies and routes stay as they are unless a list is given: their entries are changed one by one.";

  /** A realm. */
  @Schema(name = "RealmSettings")
  record SettingsView(
      String realm,
      @Schema(description = "The keys of the configuration, without partners, clients, providers, policies and routes; secrets are ***")
          Map<String, Object> value) {}

  private final RealmSettings settings;
  private final RevisionChanges changes;
  private final RevisionEndpoint revisions;

  RealmSettingsEndpoint(RealmSettings settings, RevisionChanges changes, RevisionEndpoint revisions) {
    this.settings = settings;
    this.changes = changes;
    this.revisions = revisions;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getSettings", summary = "A realm without its lists")
  @ApiResponse(responseCode = "200", description = "The realm")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  ResponseEntity<SettingsView> get(@Parameter(description = "The realm") @PathVariable("realm") String realm) {
    long inUse = changes.inUse();
    return ResponseEntity.ok().eTag(RevisionEndpoint.tag(inUse)).body(new SettingsView(realm, settings.read(realm)));
  }

  @PutMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "putSettings",
      summary = "Add a realm, or put other settings in place of its own, as a new revision",
      description = LISTS)
  @ApiResponse(responseCode = "200", description = "Nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The realm is in use, in a new revision")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The configuration with it has problems; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  ResponseEntity<PlanView> put(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = REASON) @RequestParam("reason") Optional<String> reason,
      @Parameter(description = IF_MATCH) @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @io.swagger.v3.oas.annotations.parameters.RequestBody(
              description = "The keys of the configuration",
              content = @Content(mediaType = "application/json", examples = @ExampleObject(name = "settings", value = EXAMPLE)))
          @RequestBody
          Map<String, @Nullable Object> wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    RealmSettings.SettingsChange change = change(realm, ifMatch, reason, "Put realm ", rights);
    return revisions.answer(change.expected(), settings.put(change, wanted), change.scope());
  }

  @PatchMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "patchSettings",
      summary = "Change settings of a realm by a JSON merge patch (RFC 7396), as a new revision",
      description = LISTS)
  @ApiResponse(responseCode = "200", description = "Nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The settings are in use, in a new revision")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The configuration with them has problems; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  ResponseEntity<PlanView> patch(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = REASON) @RequestParam("reason") Optional<String> reason,
      @Parameter(description = IF_MATCH) @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @io.swagger.v3.oas.annotations.parameters.RequestBody(
              description = "The keys that change; null removes one",
              content = @Content(mediaType = "application/json", examples = @ExampleObject(name = "contract", value = PATCH)))
          @RequestBody
          Map<String, @Nullable Object> patch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    RealmSettings.SettingsChange change = change(realm, ifMatch, reason, "Patch realm ", rights);
    return revisions.answer(change.expected(), settings.patch(change, patch), change.scope());
  }

  @DeleteMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "deleteSettings",
      summary = "Remove a realm with its lists, as a new revision; needs the role in all realms",
      description = "What the node stores of its people stays until it ends, and counts again if the realm comes back.")
  @ApiResponse(responseCode = "201", description = "The configuration without the realm is in use, as a new revision")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The configuration without it has problems; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  ResponseEntity<PlanView> remove(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = REASON) @RequestParam("reason") Optional<String> reason,
      @Parameter(description = IF_MATCH) @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    RealmSettings.SettingsChange change = change(realm, ifMatch, reason, "Delete realm ", rights);
    rights.requireEverywhere(AdministratorRole.ADMIN);
    return revisions.answer(change.expected(), settings.remove(change), change.scope());
  }

  private RealmSettings.SettingsChange change(String realm, String ifMatch, Optional<String> reason, String what, AdminRights rights) {
    long expected = changes.expected(ifMatch);
    String why = RevisionChanges.reason(reason.or(() -> Optional.of(what + realm)));
    return new RealmSettings.SettingsChange(realm, expected, rights.administrator(), why, changes.scope(rights, realm));
  }
}
