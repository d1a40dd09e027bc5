package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.FoundPartner;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.ImportedPartner;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.PartnerImport;
import dev.gatehouse.gateway.admin.partner.PartnerImports.Prepared;
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
import java.util.Optional;
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

/** {@code /admin/v1/realms/{realm}/partners/import}: adds SAML partners by their metadata. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/partners/import", produces = "application/json")
@Tag(name = "partners", description = "Import, test and certificates of SAML partners; import of OpenID providers")
public final class PartnerImportEndpoint {

  private final PartnerImports imports;
  private final PartnerEntries entries;
  private final AdminAudit audit;

  PartnerImportEndpoint(PartnerImports imports, PartnerEntries entries, AdminAudit audit) {
    this.imports = imports;
    this.entries = entries;
    this.audit = audit;
  }

  /** Imports a partner, or shows what would be imported. */
  @PostMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "importPartner",
      summary = "Add a SAML partner by its metadata, or renew those of one, as a new revision; or show what was found and would change",
      description =
          "The metadata come by `url`, as `xml` in JSON, or as the body itself (`application/samlmetadata+xml`). They are refused as a whole"
              + " if they are no metadata, have expired or are signed wrongly. A URL is fetched from public addresses by https, and from those"
              + " that `outbound.allow` permits; for administrators of one realm, from where `realms.NAME.outbound` lets the realm connect.",
      requestBody =
          @io.swagger.v3.oas.annotations.parameters.RequestBody(
              required = true,
              content = {
                @Content(mediaType = "application/json", schema = @Schema(implementation = PartnerImport.class)),
                @Content(mediaType = "application/samlmetadata+xml", schema = @Schema(type = "string"))
              }))
  @ApiResponse(responseCode = "200", description = "dryRun: it can be imported. Otherwise: nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The partner is in use, in a new revision")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made; a dry run is possible")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(
      responseCode = "422",
      description = "`problems` says what is wrong; nothing was changed",
      content = @Content(mediaType = "application/json", schema = @Schema(implementation = ImportedPartner.class)))
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  public ResponseEntity<ImportedPartner> importPartner(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "true: only show what was found and would change")
          @RequestParam(name = "dryRun", defaultValue = "false") boolean dryRun,
      @Parameter(description = "The entity, where the metadata are the body and describe several")
          @RequestParam("entityId") Optional<String> entityId,
      @Parameter(description = "The revision that the import was made for, in quotation marks", example = "\"7\"")
          @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @RequestBody PartnerImport wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    PartnerImport chosen = wanted.choosing(entityId);
    return dryRun ? preview(realm, chosen, rights) : apply(realm, chosen, ifMatch, rights);
  }

  private ResponseEntity<ImportedPartner> preview(String realm, PartnerImport wanted, AdminRights rights) {
    ImportedPartner view = imports.planned(imports.prepare(realm, wanted, rights), rights);
    HttpStatus status = view.problems().isEmpty() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT;
    return ResponseEntity.status(status).eTag(entries.tag()).body(view);
  }

  private ResponseEntity<ImportedPartner> apply(String realm, PartnerImport wanted, String ifMatch, AdminRights rights) {
    entries.requireCurrent(ifMatch, rights, realm);
    Prepared prepared = imports.prepare(realm, wanted, rights);
    if (prepared.entry().isEmpty()) {
      return ResponseEntity.unprocessableContent().body(prepared.view());
    }
    ImportedEntry entry = prepared.entry().get();
    audit.record(realm, rights.administrator(), "partner.import", details(prepared, entry));
    ResponseEntity<PlanView> answer =
        entries.put(entry, ifMatch, rights, wanted.reason().orElse("Import of " + FetchedDocument.shown(entry.id())));
    return ResponseEntity.status(answer.getStatusCode())
        .headers(answer.getHeaders())
        .body(PartnerImports.with(prepared.view(), Objects.requireNonNull(answer.getBody())));
  }

  private static Map<String, String> details(Prepared prepared, ImportedEntry entry) {
    Map<String, String> details = new TreeMap<>();
    details.put("partner", entry.id());
    details.put("source", prepared.view().source());
    prepared.view().digest().ifPresent(digest -> details.put("sha256", digest));
    prepared.view().found().map(FoundPartner::signature).ifPresent(signature -> details.put("signature", signature.verdict()));
    details.put("differences", String.valueOf(prepared.view().differences().size()));
    return details;
  }
}
