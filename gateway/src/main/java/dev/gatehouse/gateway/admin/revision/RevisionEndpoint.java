package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.db.Revision.StoredFile;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.RevisionDiff;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.SecretText;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.DiffView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.FileView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.FilesView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.ProposedFileView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.ProposedFilesView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.RevisionPage;
import dev.gatehouse.gateway.admin.revision.RevisionViews.RevisionView;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/revisions}: the configurations that were in use, and what differs between them. */
@RestController
@RequestMapping(path = "/admin/v1/revisions", produces = "application/json")
@Tag(name = "revisions", description = "The revisions of the configuration: who changed what, and when")
final class RevisionEndpoint {

  private final RevisionStore revisions;
  private final ConfigurationControl control;
  private final AdminAudit audit;

  RevisionEndpoint(RevisionStore revisions, ConfigurationControl control, AdminAudit audit) {
    this.revisions = revisions;
    this.control = control;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listRevisions", summary = "A page of revisions, the newest first")
  RevisionPage page(
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of revisions, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    long before = after.isEmpty() ? Long.MAX_VALUE : number(after);
    return Paging.page(
        limit,
        most -> revisions.before(before, most).stream().map(RevisionView::of).toList(),
        view -> String.valueOf(view.number()),
        RevisionPage::new);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new BadRequest("`after` is the `next` of a page.");
    }
  }

  @GetMapping("/{number}")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getRevision", summary = "One revision")
  RevisionView one(@PathVariable("number") long number) {
    return RevisionView.of(existing(number));
  }

  @GetMapping("/{number}/files")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "exportRevision", summary = "The files of a revision, as they were, without secrets")
  FilesView files(@PathVariable("number") long number) {
    Revision revision = existing(number);
    return new FilesView(revision.number(), revisions.files(number).stream().map(this::file).toList());
  }

  private FileView file(StoredFile file) {
    Optional<byte[]> content = revisions.content(file);
    Optional<String> text = content.flatMap(bytes -> new FileTree.File(bytes, false).text());
    return new FileView(
        file.path(),
        file.isSecret(),
        text.map(exact -> FileTree.realm(file.path()).isPresent() ? SecretText.masked(exact) : exact),
        content.filter(bytes -> text.isEmpty()).map(Base64.getEncoder()::encodeToString));
  }

  @GetMapping("/{number}/diff")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "diffRevision", summary = "What a revision changed, by the declared keys and by lines")
  DiffView diff(
      @PathVariable("number") long number,
      @Parameter(description = "The revision to compare with; default: the one before") @RequestParam("against")
          Optional<Long> against) {
    long before = against.map(this::existing).map(Revision::number).orElse(number - 1);
    existing(number);
    return DiffView.of(before, number, revisions.diff(before, number));
  }

  @PostMapping
  @RequiresRole(AdministratorRole.ADMIN)
  @Operation(operationId = "proposeRevision", summary = "What proposed files would change, and all their problems; nothing of them takes effect")
  @ApiResponse(responseCode = "200", description = "The files could be used")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "422", description = "The files have problems")
  ResponseEntity<PlanView> propose(
      @RequestBody ProposedFilesView proposed,
      @Parameter(description = "true: only check and compare") @RequestParam(name = "dryRun", defaultValue = "false") boolean dryRun,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    if (!dryRun) {
      throw elsewhere();
    }
    Map<String, byte[]> files = contents(proposed.files());
    boolean complete = Objects.requireNonNullElse(proposed.complete(), Optional.<Boolean>empty()).orElse(true);
    audit.record("-", administrator, "configuration.plan", Map.of("files", String.valueOf(files.size())));
    ConfigurationControl.Plan plan = control.plan(files, complete);
    long before = revisions.latest().map(Revision::number).orElse(0L);
    RevisionDiff diff = revisions.diff(before, plan.tree());
    PlanView view =
        new PlanView(
            before, plan.problems().stream().map(ProblemView::of).toList(), RevisionViews.changes(diff), RevisionViews.files(diff));
    return ResponseEntity.status(plan.problems().isEmpty() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT).body(view);
  }

  @PostMapping("/{number}/rollback")
  @RequiresRole(AdministratorRole.ADMIN)
  @Operation(operationId = "rollBack", summary = "Bring a revision back into use")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  void rollBack(@PathVariable("number") long number) {
    existing(number);
    throw elsewhere();
  }

  private Conflict elsewhere() {
    return new Conflict(
        "The configuration is read from files: change those in " + control.directory().toAbsolutePath().normalize()
            + "; they are in use within a second.");
  }

  /** Jackson passes null for a missing property. */
  private static Map<String, byte[]> contents(@Nullable List<ProposedFileView> files) {
    if (files == null) {
      throw new BadRequest("`files` is missing.");
    }
    Map<String, byte[]> contents = new TreeMap<>();
    for (ProposedFileView file : files) {
      if (file == null || file.path() == null || file.text().isPresent() == file.base64().isPresent()) {
        throw new BadRequest("Each of `files` has a `path`, and either `text` or `base64`.");
      }
      byte[] content = file.text().map(text -> text.getBytes(StandardCharsets.UTF_8)).orElseGet(() -> decoded(file.base64().orElseThrow()));
      if (contents.put(file.path(), content) != null) {
        throw new BadRequest("`files` has a path twice.");
      }
    }
    return contents;
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new BadRequest("`base64` of a file is not base64.");
    }
  }

  private Revision existing(long number) {
    return revisions.find(number).orElseThrow(() -> new NotFound("There is no revision " + number + "."));
  }
}
