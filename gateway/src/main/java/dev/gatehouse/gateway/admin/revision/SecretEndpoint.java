package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.db.Revision.StoredSecret;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import dev.gatehouse.common.realm.yaml.YamlSource;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

/** {@code /admin/v1/secrets}: the named secrets of a configuration in the database. Their values are written, and never returned. */
@RestController
@RequestMapping(path = "/admin/v1/secrets", produces = "application/json")
@Tag(name = "secrets", description = "Named secrets of a configuration in the database: {secret: NAME}")
final class SecretEndpoint {

  /** A secret without its value. */
  @Schema(name = "Secret")
  record SecretView(
      String name,
      @Schema(description = "Whether the revision in use names it") boolean inUse,
      @Schema(description = "The administrator key that stored the value, or `files`") String author,
      Instant changedAt) {}

  /** A page of secrets. */
  @Schema(name = "Secrets")
  record SecretsView(
      List<SecretView> secrets,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  /** The value of a secret. */
  @Schema(name = "SecretValue")
  record SecretValueView(
      @Schema(description = "The value as text", accessMode = Schema.AccessMode.WRITE_ONLY) Optional<String> text,
      @Schema(description = "The value in base64, for stores of keys", accessMode = Schema.AccessMode.WRITE_ONLY) Optional<String> base64) {

    /** Does not contain the value. */
    @Override
    public String toString() {
      return "SecretValueView[***]";
    }
  }

  private final RevisionStore revisions;
  private final RevisionChanges changes;
  private final AdminAudit audit;

  SecretEndpoint(RevisionStore revisions, RevisionChanges changes, AdminAudit audit) {
    this.revisions = revisions;
    this.changes = changes;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listSecrets", summary = "All named secrets, without their values")
  @ApiResponse(responseCode = "200", description = "The secrets")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, whose secrets are files, too")
  SecretsView all(
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    return within(ChangeScope.all(), after, limit);
  }

  /** Returns a page of the secrets that an administrator with that scope may see. */
  SecretsView within(ChangeScope scope, String after, int limit) {
    Set<String> used = changes.stored().inUse().files().files().keySet();
    List<SecretView> sorted =
        revisions.secrets().stream()
            .filter(secret -> scope.includesSecret(secret.name()))
            .map(secret -> view(secret, used.contains(FileTree.secret(secret.name()))))
            .sorted(Comparator.comparing(SecretView::name))
            .toList();
    return Paging.sorted(sorted, after, limit, SecretView::name, SecretsView::new);
  }

  private static SecretView view(StoredSecret secret, boolean inUse) {
    return new SecretView(secret.name(), inUse, secret.author(), secret.changedAt());
  }

  @PutMapping("/{name}")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(operationId = "putSecret", summary = "Store a secret; where the revision in use names it, the new value takes effect at once")
  @ApiResponse(responseCode = "200", description = "The value is stored; `before` is the revision in use now")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, whose secrets are files, too")
  @ApiResponse(responseCode = "422", description = "The configuration in use cannot have that value; nothing was changed")
  ResponseEntity<PlanView> put(
      @PathVariable("name") String name,
      @RequestBody SecretValueView value,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return keep(name, value, administrator, ChangeScope.all());
  }

  /** Stores a secret for an administrator with that scope. */
  ResponseEntity<PlanView> keep(String name, SecretValueView value, String administrator, ChangeScope scope) {
    StoredRealms realms = changes.stored();
    if (!YamlSource.isSecretName(name)) {
      throw new BadRequest("A name has 1 to 100 letters, digits, dots, hyphens and _, a letter or digit first.");
    }
    byte[] content = ProposedContents.content("value", value.text(), value.base64());
    if (content.length == 0 || content.length > NamedFiles.LARGEST) {
      throw new BadRequest("A secret has 1 byte to 1 MB.");
    }
    audit.record(RevisionChanges.audited(scope), administrator, "secret.put", Map.of("name", name));
    return switch (realms.keepSecret(name, content, administrator, scope)) {
      case Change.Applied(Revision revision) -> stored(revision.number());
      case Change.Unchanged(long number) -> stored(number);
      case Change.Conflict(long current) -> throw changes.stale(current, current, scope);
      case Change.Invalid(List<Problem> problems) ->
          ResponseEntity.status(HttpStatus.UNPROCESSABLE_CONTENT)
              .body(new PlanView(changes.inUse(), RevisionViews.problems(problems), List.of(), List.of(), Optional.empty()));
    };
  }

  private static ResponseEntity<PlanView> stored(long number) {
    return ResponseEntity.ok().eTag(RevisionEndpoint.tag(number)).body(new PlanView(number, List.of(), List.of(), List.of(), Optional.empty()));
  }

  @DeleteMapping("/{name}")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @Operation(operationId = "deleteSecret", summary = "Remove a secret that the revision in use does not name")
  @ApiResponse(responseCode = "204", description = "The secret is removed; revisions that name it cannot be brought back until it is stored again")
  @ApiResponse(responseCode = "404", description = "There is no such secret")
  @ApiResponse(responseCode = "409", description = "The revision in use names it, or the configuration is read from files")
  void remove(
      @PathVariable("name") String name,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    discard(name, administrator, ChangeScope.all());
  }

  /** Removes a secret for an administrator with that scope. */
  void discard(String name, String administrator, ChangeScope scope) {
    StoredRealms realms = changes.stored();
    audit.record(RevisionChanges.audited(scope), administrator, "secret.delete", Map.of("name", name));
    switch (realms.removeSecret(name)) {
      case REMOVED -> {}
      case UNKNOWN -> throw new NotFound("There is no secret of that name.");
      case IN_USE -> throw new Conflict("The revision in use names this secret: take it out of the configuration first.");
    }
  }
}
