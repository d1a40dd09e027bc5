package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.ImportedProvider;
import dev.gatehouse.gateway.admin.partner.ProviderImportViews.ProviderImport;
import dev.gatehouse.gateway.admin.partner.ProviderImports.Prepared;
import dev.gatehouse.gateway.admin.revision.PartnerEntries;
import dev.gatehouse.gateway.admin.revision.PartnerEntries.ImportedEntry;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/providers/import}: adds OpenID providers by their issuer. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/providers/import", produces = "application/json")
@Tag(name = "partners", description = "Import, test and certificates of SAML partners; import of OpenID providers")
public final class ProviderImportEndpoint {

  private final ProviderImports imports;
  private final PartnerEntries entries;
  private final AdminAudit audit;

  ProviderImportEndpoint(ProviderImports imports, PartnerEntries entries, AdminAudit audit) {
    this.imports = imports;
    this.entries = entries;
    this.audit = audit;
  }

  /** Imports a provider, or shows what would be imported. */
  @PostMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "importProvider",
      summary = "Add an OpenID provider by its issuer, or renew its entry, as a new revision; or show what was found and would change",
      description =
          "Its discovery document and its keys are fetched from public addresses by https, and from those that `outbound.allow` permits; for"
              + " administrators of one realm, from where `realms.NAME.outbound` lets the realm connect. The client secret is a stored secret,"
              + " named here.")
  @ApiResponse(responseCode = "200", description = "dryRun: it can be imported. Otherwise: nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The provider is in use, in a new revision")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made; a dry run is possible")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(
      responseCode = "422",
      description = "`problems` says what is wrong or missing; nothing was changed",
      content = @Content(mediaType = "application/json", schema = @Schema(implementation = ImportedProvider.class)))
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  public ResponseEntity<ImportedProvider> importProvider(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "true: only show what was found and would change")
          @RequestParam(name = "dryRun", defaultValue = "false") boolean dryRun,
      @Parameter(description = "The revision that the import was made for, in quotation marks", example = "\"7\"")
          @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @RequestBody ProviderImport wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    return dryRun ? preview(realm, wanted, rights) : apply(realm, wanted, ifMatch, rights);
  }

  private ResponseEntity<ImportedProvider> preview(String realm, ProviderImport wanted, AdminRights rights) {
    ImportedProvider view = imports.planned(imports.prepare(realm, wanted, rights), rights);
    HttpStatus status = view.problems().isEmpty() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT;
    return ResponseEntity.status(status).eTag(entries.tag()).body(view);
  }

  private ResponseEntity<ImportedProvider> apply(String realm, ProviderImport wanted, String ifMatch, AdminRights rights) {
    entries.requireCurrent(ifMatch, rights, realm);
    Prepared prepared = imports.prepare(realm, wanted, rights);
    if (prepared.entry().isEmpty()) {
      return ResponseEntity.unprocessableContent().body(prepared.view());
    }
    ImportedEntry entry = prepared.entry().get();
    audit.record(realm, rights.administrator(), "provider.import", details(prepared, wanted));
    ResponseEntity<PlanView> answer =
        entries.put(entry, ifMatch, rights, wanted.reason().orElse("Import of " + FetchedDocument.shown(entry.id())));
    return ResponseEntity.status(answer.getStatusCode())
        .headers(answer.getHeaders())
        .body(prepared.view().with(Objects.requireNonNull(answer.getBody())));
  }

  private static Map<String, String> details(Prepared prepared, ProviderImport wanted) {
    Map<String, String> details = new TreeMap<>();
    details.put("issuer", wanted.issuer());
    prepared.view().digest().ifPresent(digest -> details.put("sha256", digest));
    wanted.clientId().ifPresent(id -> details.put("clientId", FetchedDocument.shown(id)));
    wanted.secret().ifPresent(name -> details.put("secret", FetchedDocument.shown(name)));
    return details;
  }
}
