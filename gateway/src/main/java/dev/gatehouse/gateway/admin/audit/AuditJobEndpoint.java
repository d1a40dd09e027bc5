package dev.gatehouse.gateway.admin.audit;

import dev.gatehouse.common.audit.AuditArchive.Archived;
import dev.gatehouse.common.audit.AuditReport;
import dev.gatehouse.common.audit.ConfiguredArchive;
import dev.gatehouse.common.audit.LogVerifier;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.job.JobEndpoint;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.job.JobWork.JobFailed;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.job.Jobs.JobRequest;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/audit/archive} and {@code /admin/v1/audit/verification}: jobs over the whole audit log. */
@RestController
@RequestMapping(path = "/admin/v1/audit", produces = "application/json")
@Tag(name = "audit", description = "The audit log of this node")
public final class AuditJobEndpoint {

  private static final String UNIT = "bytes";

  private final ConfiguredArchive configured;
  private final LogVerifier verifier;
  private final Jobs jobs;
  private final AdminAudit audit;
  private final InstantSource time;

  AuditJobEndpoint(ConfiguredArchive configured, LogVerifier verifier, Jobs jobs, AdminAudit audit, InstantSource time) {
    this.configured = configured;
    this.verifier = verifier;
    this.jobs = jobs;
    this.audit = audit;
    this.time = time;
  }

  /** Starts the job that archives. */
  @PostMapping("/archive")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "archiveAudit",
      summary = "Start a job that compresses old files of the audit log into `audit.archive.to` and removes them from the log",
      description = "Its result has `files` and `bytes`. The scheduled archive does the same by itself.")
  @ApiResponse(responseCode = "202", description = "The job runs; `Location` is its address")
  @ApiResponse(responseCode = "409", description = "No archive is configured, or such a job runs")
  public ResponseEntity<JobView> archive(
      @Parameter(description = "Time (RFC 3339): files that were complete before it; default: as `audit.archive.after` says")
          @RequestParam("before")
          Optional<String> before,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    var archive = configured.archive().orElseThrow(() -> new Conflict("No archive is configured: write audit.archive in gatehouse.yaml."));
    Optional<Instant> until = before.map(this::time);
    audit.record(AdminRights.NODE, rights.administrator(), "audit.archive", Map.of("before", before.orElse("-")));
    JobRequest request = new JobRequest("audit.archive", Optional.empty(), AdministratorRole.ADMIN, UNIT, rights);
    return JobEndpoint.accepted(
        jobs.start(
            request,
            progress -> {
              try {
                Archived archived =
                    archive
                        .archiveNow(until, progress::at)
                        .orElseThrow(() -> new JobFailed("The scheduled archive runs at the moment and does this."));
                return Map.of("files", archived.files(), UNIT, archived.bytes());
              } catch (IOException e) {
                throw new JobFailed("The archive stopped, and nothing was lost: " + e.getMessage());
              }
            }));
  }

  private Instant time(String text) {
    try {
      Instant before = Instant.parse(text);
      if (!before.isAfter(time.instant())) {
        return before;
      }
    } catch (DateTimeException e) {
      // Falls through to the message.
    }
    throw new BadRequest("`before` is a time in the past, like 2026-11-23T17:00:00Z.");
  }

  /** Starts the job that verifies. */
  @PostMapping("/verification")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "verifyAudit",
      summary = "Start a job that reads the whole audit log, archive included, and finds events that were removed, changed or added",
      description =
          "Its result has `events`, `files`, `bytes`, `checkpoints`, and `problems` with their number in `problemCount`. It trusts the"
              + " node's own key: `gatehouse audit verify --keys --against` trusts copies that are kept elsewhere.")
  @ApiResponse(responseCode = "202", description = "The job runs; `Location` is its address")
  @ApiResponse(responseCode = "409", description = "Such a job runs")
  public ResponseEntity<JobView> verify(@Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    audit.record(AdminRights.NODE, rights.administrator(), "audit.verify", Map.of());
    JobRequest request = new JobRequest("audit.verify", Optional.empty(), AdministratorRole.OPERATOR, UNIT, rights);
    return JobEndpoint.accepted(
        jobs.start(
            request,
            progress -> {
              try {
                return result(verifier.verify(progress::at));
              } catch (IOException e) {
                throw new JobFailed("The audit log cannot be read: " + e.getMessage());
              }
            }));
  }

  private static Map<String, Object> result(AuditReport report) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("events", report.events());
    result.put("files", report.files());
    result.put(UNIT, report.bytes());
    result.put("checkpoints", report.checkpoints());
    result.put("problems", report.problems());
    result.put("problemCount", report.problems().size() + report.unlisted());
    return result;
  }
}
