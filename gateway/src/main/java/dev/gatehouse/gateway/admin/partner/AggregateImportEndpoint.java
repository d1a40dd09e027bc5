package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.job.JobEndpoint;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.job.Jobs.JobRequest;
import dev.gatehouse.gateway.admin.partner.AggregateImports.Order;
import dev.gatehouse.gateway.admin.revision.PartnerEntries;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/partners/import-aggregate}: adds many SAML partners by signed metadata of a federation. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/partners/import-aggregate", produces = "application/json")
@Tag(name = "partners", description = "Import, test and certificates of SAML partners; import of OpenID providers")
public final class AggregateImportEndpoint {

  private final AggregateImports imports;
  private final PartnerEntries entries;
  private final Jobs jobs;
  private final ConfigurationControl control;
  private final AdminAudit audit;

  AggregateImportEndpoint(
      AggregateImports imports, PartnerEntries entries, Jobs jobs, ConfigurationControl control, AdminAudit audit) {
    this.imports = imports;
    this.entries = entries;
    this.jobs = jobs;
    this.control = control;
    this.audit = audit;
  }

  /** Starts the import as a job. */
  @PostMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "importAggregate",
      summary = "Start a job that adds partners by a signed aggregate, or renews those that came from it, as one new revision",
      description =
          "The job fetches the aggregate, up to 10 MB, verifies its signature, takes each chosen entity's metadata out and writes them as"
              + " files of the revision. It changes nothing if it fails or is cancelled. Its result has `described`, `added`, `renewed`,"
              + " `kept` (the realm has them from elsewhere) and `skipped` entities with their reasons, `gone` (they came from the aggregate,"
              + " which does not describe them any more) and the `revision`.")
  @ApiResponse(responseCode = "202", description = "The job runs; `Location` is its address")
  @ApiResponse(responseCode = "404", description = "There is no such realm")
  @ApiResponse(responseCode = "409", description = "Such a job runs, or the configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  public ResponseEntity<JobView> importAggregate(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "true: the job only says what it would do")
          @RequestParam(name = "dryRun", defaultValue = "false") boolean dryRun,
      @Parameter(description = "true: also an aggregate that is older than one that was imported before")
          @RequestParam(name = "older", defaultValue = "false") boolean older,
      @Parameter(description = "The revision that the import was made for, in quotation marks", example = "\"7\"")
          @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @RequestBody AggregateImport wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    wanted.check();
    X509Certificate signer = signer(wanted.verifyWith());
    // A realm that does not exist is 404.
    entries.find(realm, "partners", "");
    if (!dryRun) {
      entries.requireCurrent(ifMatch, rights, realm);
    }
    ChangeScope scope = entries.scope(rights, realm);
    Optional<Long> expected = dryRun ? Optional.empty() : Optional.of(entries.expected(ifMatch));
    Destinations permitted = Destinations.of(rights, AdministratorRole.ADMIN, realm, control);
    Order order = new Order(realm, wanted, signer, permitted, scope, rights.administrator(), expected, older);
    String chosen = wanted.entityIds().map(ids -> String.valueOf(ids.size())).orElse("all");
    audit.record(
        realm, rights.administrator(), "partner.import-aggregate",
        Map.of("source", order.source(), "entities", chosen, "dryRun", String.valueOf(dryRun), "older", String.valueOf(older)));
    JobRequest request =
        new JobRequest("partner.aggregate", Optional.of(realm), AdministratorRole.ADMIN, "entities", rights);
    return JobEndpoint.accepted(jobs.start(request, progress -> imports.run(order, progress)));
  }

  private static X509Certificate signer(@Nullable String pem) {
    try {
      return Pem.certificates((pem == null ? "" : pem).getBytes(StandardCharsets.UTF_8)).getFirst();
    } catch (GeneralSecurityException e) {
      throw new BadRequest(
          "`verifyWith` is not a PEM certificate: write the text from BEGIN CERTIFICATE to END CERTIFICATE of whom signs the aggregate.");
    }
  }
}
