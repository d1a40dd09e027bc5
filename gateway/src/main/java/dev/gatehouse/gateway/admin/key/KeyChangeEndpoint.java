package dev.gatehouse.gateway.admin.key;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.key.KeyChange;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /admin/v1/key-changes}: keys of administrators, and for the registration of clients, that a command makes or revokes. They are
 * made and revoked on the host alone. The command has the running node record that, because the node's process alone can write its audit
 * log: a new key before it is made, and an end after the key is revoked.
 */
@RestController
@RequestMapping(path = "/admin/v1/key-changes", produces = "application/json")
@Tag(name = "keys")
public final class KeyChangeEndpoint {

  /** A change of a key. */
  @Schema(name = "KeyChange")
  public record KeyChangeView(
      @Schema(description = "What the key is for", allowableValues = {"administrator", "registration"}) String kind,
      @Schema(allowableValues = {"create", "revoke"}) String change,
      @Schema(description = "Of the key") String name,
      @Schema(description = "Of a key of an administrator: ROLE for all realms, ROLE@REALM for one") Optional<List<String>> roles,
      @Schema(description = "When the key ends by itself; absent: never") Optional<Instant> expiresAt) {}

  private final AdminAudit audit;

  KeyChangeEndpoint(AdminAudit audit) {
    this.audit = audit;
  }

  @PostMapping
  @RequiresRole(AdministratorRole.ADMIN)
  @Operation(
      operationId = "recordKeyChange",
      summary = "Write into the audit log that a command makes or revokes a key of an administrator, or for the registration of clients",
      description = "The key is made or revoked on the host alone: `gatehouse keys admin` and `keys registration` ask for this.")
  @ApiResponse(responseCode = "200", description = "The change, which is in the audit log")
  public KeyChangeView record(
      @RequestBody KeyChangeView wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    KeyChange change = change(wanted);
    audit.record(AdminRights.NODE, administrator, change.action(), change.details());
    return wanted;
  }

  /** Jackson passes null for a missing property. */
  private static KeyChange change(KeyChangeView wanted) {
    KeyChange.Kind kind =
        KeyChange.Kind.of(String.valueOf(wanted.kind())).orElseThrow(() -> new BadRequest("`kind` is administrator or registration."));
    KeyChange.Step step =
        KeyChange.Step.of(String.valueOf(wanted.change())).orElseThrow(() -> new BadRequest("`change` is create or revoke."));
    String name =
        Optional.ofNullable(wanted.name()).filter(NamedKeys::isName).orElseThrow(() -> new BadRequest("`name` is no name of a key."));
    List<AdministratorGrant> grants = grants(wanted.roles().orElse(List.of()));
    if (grants.isEmpty() == (kind == KeyChange.Kind.ADMINISTRATOR)) {
      throw new BadRequest("`roles` belong to each key of an administrator, and to no other.");
    }
    return new KeyChange(kind, step, name, grants, wanted.expiresAt());
  }

  private static List<AdministratorGrant> grants(List<String> roles) {
    try {
      return roles.stream().map(role -> AdministratorGrant.parse(String.valueOf(role))).toList();
    } catch (IllegalArgumentException e) {
      throw new BadRequest("`roles` are written ROLE for all realms, ROLE@REALM for one, like helpdesk@demo.");
    }
  }
}
