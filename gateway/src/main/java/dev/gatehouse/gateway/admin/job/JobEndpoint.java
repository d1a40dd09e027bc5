package dev.gatehouse.gateway.admin.job;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.job.JobView.JobList;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/jobs}: long operations that administrators started, on this node or on any of those that share a database. */
@RestController
@RequestMapping(path = "/admin/v1/jobs", produces = "application/json")
@Tag(name = "jobs", description = "Long operations with their progress, on this node; with storage: shared, on any node")
public final class JobEndpoint {

  private final Jobs jobs;

  JobEndpoint(Jobs jobs) {
    this.jobs = jobs;
  }

  /** Answers an operation that has become a job. */
  public static ResponseEntity<JobView> accepted(JobView job) {
    return ResponseEntity.accepted().location(URI.create("/admin/v1/jobs/" + job.id())).body(job);
  }

  /** Returns the jobs that the administrator may see. */
  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(operationId = "listJobs", summary = "The jobs that the key might have started, the newest first")
  public JobList list(@Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    return new JobList(jobs.visible(rights));
  }

  /** Returns one job. */
  @GetMapping("/{id}")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(operationId = "getJob", summary = "One job; with `Retry-After` while it runs")
  @ApiResponse(responseCode = "200", description = "The job")
  @ApiResponse(responseCode = "404", description = "There is no such job, or the key might not have started it")
  public ResponseEntity<JobView> one(
      @PathVariable("id") String id, @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    JobView job = jobs.find(id, rights);
    return job.isRunning() ? ResponseEntity.ok().header("Retry-After", "1").body(job) : ResponseEntity.ok(job);
  }

  /** Cancels a job. */
  @PostMapping("/{id}/cancel")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(
      operationId = "cancelJob",
      summary = "Cancel a job that the key might have started; it ends at its next step, and what was done stays")
  @ApiResponse(responseCode = "200", description = "Done")
  @ApiResponse(responseCode = "404", description = "There is no such job, or the key might not have started it")
  @ApiResponse(responseCode = "409", description = "The job has ended")
  public JobView cancel(
      @PathVariable("id") String id, @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    return jobs.cancel(id, rights);
  }
}
