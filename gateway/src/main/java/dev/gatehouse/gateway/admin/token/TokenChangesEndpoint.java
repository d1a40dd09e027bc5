package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.job.JobEndpoint;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.job.Jobs.JobRequest;
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
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/tokens/changes}: many changes of tokens by a file. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/tokens/changes", produces = "application/json")
@Tag(name = "tokens")
public final class TokenChangesEndpoint {

  private static final int MOST_CHARACTERS = 4 << 20;

  /** A file of changes. */
  @Schema(name = "TokenChanges")
  public record ChangesFile(
      @Schema(
              description =
                  "Lines of values that are separated by commas; the first one names the columns `action`, `serial` and, if needed,"
                      + " `person`, `by` and `expires`")
          String content) {}

  private final TokenAccess access;
  private final Jobs jobs;
  private final AdminAudit audit;

  TokenChangesEndpoint(TokenAccess access, Jobs jobs, AdminAudit audit) {
    this.access = access;
    this.jobs = jobs;
    this.audit = audit;
  }

  @PostMapping
  @RequiresRole(value = AdministratorRole.OPERATOR, recentLogin = true)
  @Operation(
      operationId = "changeTokens",
      summary = "Start a job that assigns, takes back, enables, disables, replaces or ends many tokens",
      description =
          "All lines are checked before the first change; if one is wrong, nothing is changed, unless `onError=skip` leaves such lines out."
              + " A change that is refused later ends the job, or is left out. The result has the numbers `read` and `changed`, and"
              + " `rejected` entries with `number`, `serial` and `reason`: the first 2,000 of `rejectedCount` that were not made.")
  @ApiResponse(responseCode = "202", description = "The job runs; `Location` is its address")
  @ApiResponse(responseCode = "409", description = "Such a job runs")
  public ResponseEntity<JobView> change(
      @PathVariable("realm") String realm,
      @Parameter(
              description = "What becomes of a wrong line",
              schema = @Schema(allowableValues = {"stop", "skip"}, defaultValue = "stop"))
          @RequestParam(name = "onError", defaultValue = "stop")
          String onError,
      @Parameter(description = "true: the lines are only checked") @RequestParam(name = "dryRun", defaultValue = "false") boolean dryRun,
      @RequestBody ChangesFile file,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    access.desk(realm);
    boolean skips = OnError.of(onError) == OnError.SKIP;
    // Jackson passes null for a missing property, even if the component is not nullable.
    if (file.content() == null || file.content().isBlank() || file.content().length() > MOST_CHARACTERS) {
      throw new BadRequest("`content` is the text of the file, 4 MB at most.");
    }
    String digest = Sha256.hex(file.content());
    TokenChanges changes =
        new TokenChanges(
            access, audit, realm, rights, digest, ChangeLines.read(file.content()), skips, dryRun);
    audit.record(
        realm, rights.administrator(), "token.changes", Map.of("sha256", digest, "onError", onError, "dryRun", String.valueOf(dryRun)));
    JobRequest request = new JobRequest("token.changes", Optional.of(realm), AdministratorRole.OPERATOR, "tokens", rights);
    return JobEndpoint.accepted(jobs.start(request, changes::run));
  }
}
