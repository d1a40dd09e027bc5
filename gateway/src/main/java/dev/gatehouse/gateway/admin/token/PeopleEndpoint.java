package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.PeopleDesk;
import dev.gatehouse.common.admin.PeopleDesk.KnownPersonView;
import dev.gatehouse.common.admin.PeopleDesk.Order;
import dev.gatehouse.common.admin.PeopleDesk.PeopleRunView;
import dev.gatehouse.common.admin.PeopleDesk.Reason;
import dev.gatehouse.common.admin.PeopleDesk.Stop;
import dev.gatehouse.common.admin.PeopleDesk.Synchronised;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.gateway.admin.job.JobEndpoint;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.job.JobWork.JobFailed;
import dev.gatehouse.gateway.admin.job.JobWork.JobProgress;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.job.Jobs.JobRequest;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminProblems;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/token-people}: the register of people who may have tokens, and its synchronisation. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/token-people", produces = "application/json")
@Tag(name = "token-people", description = "The register of people who may have tokens, read from the directory")
public final class PeopleEndpoint {

  /** The kinds of jobs. */
  public static final String PREVIEW = "people.preview";

  public static final String SYNCHRONISATION = "people.synchronise";

  private static final int MOST_RUNS = 50;
  private static final int LONGEST_NAME = 256;
  private static final Set<String> STATUSES = Set.of("active", "suspended", "missing", "gone");

  /** A page of people. */
  @Schema(name = "KnownPeople")
  public record KnownPage(List<KnownPersonView> people, @Schema(description = "`after` of the next page") Optional<String> next) {}

  /** Synchronisations. */
  @Schema(name = "PeopleRuns")
  public record PeopleRuns(@Schema(description = "The newest first") List<PeopleRunView> runs) {}

  private final TokenAccess access;
  private final Optional<PeopleDesk> desk;
  private final TokenReports reports;
  private final Jobs jobs;
  private final AdminAudit audit;

  /** @param desk empty on a node without identity provider */
  PeopleEndpoint(TokenAccess access, Optional<PeopleDesk> desk, TokenReports reports, Jobs jobs, AdminAudit audit) {
    this.access = access;
    this.desk = desk;
    this.reports = reports;
    this.jobs = jobs;
    this.audit = audit;
  }

  private PeopleDesk desk(String realm) {
    access.desk(realm);
    PeopleDesk here = desk.orElseThrow(NotFound::identityProvider);
    if (!here.isOn(realm)) {
      throw new NotFound("This realm has no register of people: write otp.people into its configuration.");
    }
    return here;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listKnownPeople", summary = "A page of the people of the register, by id")
  @ApiResponse(responseCode = "200", description = "OK")
  @ApiResponse(responseCode = "503", description = AdminProblems.BUSY)
  public KnownPage page(
      @PathVariable("realm") String realm,
      @Parameter(description = "The beginning of the user name") @RequestParam(name = "name", defaultValue = "") String name,
      @Parameter(schema = @Schema(allowableValues = {"active", "suspended", "missing", "gone"})) @RequestParam(name = "status")
          Optional<String> status,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "500 at most") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    if (status.filter(word -> !STATUSES.contains(word)).isPresent()) {
      throw new BadRequest("`status` is active, suspended, missing or gone.");
    }
    if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
      throw new BadRequest("`name` is the beginning of a user name.");
    }
    PeopleDesk here = desk(realm);
    // With embedded storage no index finds them: all people are read.
    boolean isScan = !name.isEmpty() || status.isPresent();
    return Paging.page(
        limit,
        most -> reports.page(isScan, () -> here.page(realm, name, status, after, most)),
        KnownPersonView::person,
        KnownPage::new);
  }

  @GetMapping("/runs")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listPeopleRuns", summary = "The last synchronisations, by administrators and by schedule, with their numbers")
  public PeopleRuns runs(
      @PathVariable("realm") String realm,
      @Parameter(description = "50 at most") @RequestParam(name = "limit", defaultValue = "10") int limit) {
    if (limit < 1 || limit > MOST_RUNS) {
      throw new BadRequest("`limit` is a number from 1 to " + MOST_RUNS + ".");
    }
    return new PeopleRuns(desk(realm).runs(realm, limit));
  }

  @PostMapping("/preview")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "previewPeople",
      summary = "Start a job that compares the register with the directory, and changes nothing",
      description =
          "Its result has the numbers `found`, `added`, `changed`, `moved`, `returned`, `gone`, `rejected` and `tokens`, some `changes` of"
              + " each kind, `remarks` about entries that would be left out, and `stop` if a synchronisation would change nothing.")
  @ApiResponse(responseCode = "202", description = "The job runs; `Location` is its address")
  @ApiResponse(responseCode = "409", description = "Such a job runs")
  public ResponseEntity<JobView> preview(
      @PathVariable("realm") String realm,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    PeopleDesk here = desk(realm);
    JobRequest request = new JobRequest(PREVIEW, Optional.of(realm), AdministratorRole.OPERATOR, "people", rights);
    Order order = new Order(realm, rights.administrator(), true, Optional.empty());
    return JobEndpoint.accepted(jobs.start(request, progress -> run(here, order, progress)));
  }

  @PostMapping("/synchronise")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "synchronisePeople",
      summary = "Start a job that makes the register as the directory is; whoever is gone gives their tokens back",
      description =
          "It changes nothing if the directory does not tell everybody, has nobody, or has lost more people than `mayDisable` allows. One"
              + " that was interrupted is finished by the next one. Its result is that of a preview.")
  @ApiResponse(responseCode = "202", description = "The job runs; `Location` is its address")
  @ApiResponse(responseCode = "409", description = "Such a job runs")
  public ResponseEntity<JobView> synchronise(
      @PathVariable("realm") String realm,
      @Parameter(description = "In place of `otp.people.mayDisable`: a number like 20, or a share like 5%") @RequestParam(name = "mayDisable")
          Optional<String> mayDisable,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    PeopleDesk here = desk(realm);
    if (mayDisable.filter(text -> TokenLogin.Limit.parse(text).isEmpty()).isPresent()) {
      throw new BadRequest("`mayDisable` is a number like 20, or a share like 5%.");
    }
    audit.record(realm, rights.administrator(), SYNCHRONISATION, Map.of("mayDisable", mayDisable.orElse("as configured")));
    JobRequest request = new JobRequest(SYNCHRONISATION, Optional.of(realm), AdministratorRole.ADMIN, "people", rights);
    Order order = new Order(realm, rights.administrator(), false, mayDisable);
    return JobEndpoint.accepted(jobs.start(request, progress -> run(here, order, progress)));
  }

  private static Map<String, Object> run(PeopleDesk desk, Order order, JobProgress progress) throws JobFailed {
    return switch (desk.run(order, progress::at)) {
      case Result.Refused<Synchronised, Stop>(Stop(Reason reason, String sentence)) -> throw new JobFailed(reason + ": " + sentence);
      case Result.Accepted<Synchronised, Stop>(Synchronised done) -> result(done);
    };
  }

  private static Map<String, Object> result(Synchronised done) {
    Map<String, Object> result = new LinkedHashMap<>();
    var counts = done.counts();
    result.put("found", counts.found());
    result.put("added", counts.added());
    result.put("changed", counts.changed());
    result.put("moved", counts.moved());
    result.put("returned", counts.returned());
    result.put("gone", counts.gone());
    result.put("rejected", counts.rejected());
    result.put("tokens", counts.tokens());
    result.put(
        "changes",
        done.changes().stream()
            .map(one -> Map.of("kind", one.kind().word(), "person", one.person(), "name", one.name(), "detail", one.detail()))
            .toList());
    result.put(
        "remarks",
        done.remarks().stream().map(one -> Map.of("fault", one.fault().name(), "name", one.name(), "place", one.place())).toList());
    done.stop().ifPresent(stop -> result.put("stop", stop.reason() + ": " + stop.sentence()));
    return result;
  }
}
