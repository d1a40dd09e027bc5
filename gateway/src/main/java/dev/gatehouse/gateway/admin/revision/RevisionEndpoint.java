package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.compute.ComputingThreads;
import dev.gatehouse.common.compute.Turn;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.db.Revision.StoredFile;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.RevisionDiff;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.SecretText;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.revision.RevisionViews.DiffView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.FileView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.FilesView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.ProposedFilesView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.RevisionPage;
import dev.gatehouse.gateway.admin.revision.RevisionViews.RevisionView;
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
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/revisions}: the configurations that were in use, and what differs between them. */
@RestController
@RequestMapping(path = "/admin/v1/revisions", produces = "application/json")
@Tag(name = "revisions", description = "The revisions of the configuration: who changed what, and when")
public final class RevisionEndpoint {

  private static final String REALM = "Only what belongs to this realm, for a role in it";

  private static final int MOST_WAITING = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Thousands of files may differ, and one may have a megabyte. */
  private final Turn turn = new Turn(ComputingThreads.of("revision-", 1), MOST_WAITING, PATIENCE);

  private final RevisionStore revisions;
  private final ConfigurationControl control;
  private final RevisionChanges changes;
  private final PlannedEffects effects;
  private final AdminAudit audit;

  RevisionEndpoint(
      RevisionStore revisions, ConfigurationControl control, RevisionChanges changes, PlannedEffects effects, AdminAudit audit) {
    this.revisions = revisions;
    this.control = control;
    this.changes = changes;
    this.effects = effects;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listRevisions", summary = "A page of revisions, the newest first")
  public ResponseEntity<RevisionPage> page(
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of revisions, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    long before = after.isEmpty() ? Long.MAX_VALUE : number(after);
    long inUse = changes.inUse();
    RevisionPage page =
        Paging.page(
            limit,
            most -> revisions.before(before, most).stream().map(RevisionView::of).toList(),
            view -> String.valueOf(view.number()),
            (views, next) -> new RevisionPage(views, inUse, next));
    return ResponseEntity.ok().eTag(tag(inUse)).body(page);
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
  public ResponseEntity<RevisionView> one(@PathVariable("number") long number) {
    return ResponseEntity.ok().eTag(tag(number)).body(RevisionView.of(existing(number)));
  }

  @GetMapping("/{number}/files")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "exportRevision", summary = "The files of a revision, as they were, without secrets")
  @ApiResponse(responseCode = "200", description = "OK")
  @ApiResponse(responseCode = "503", description = AdminProblems.BUSY)
  FilesView files(
      @PathVariable("number") long number, @Parameter(description = REALM) @RequestParam("realm") Optional<String> realm) {
    Revision revision = existing(number);
    ChangeScope scope = shown(realm);
    return turn.take(
        () ->
            new FilesView(
                revision.number(),
                revisions.files(number).stream().filter(file -> scope.includesFile(file.path())).map(this::file).toList()));
  }

  /** Returns what is shown: everything, or one realm. */
  private static ChangeScope shown(Optional<String> realm) {
    return realm.<ChangeScope>map(ChangeScope.OneRealm::new).orElse(ChangeScope.all());
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
  @ApiResponse(responseCode = "200", description = "OK")
  @ApiResponse(responseCode = "503", description = AdminProblems.BUSY)
  public DiffView diff(
      @PathVariable("number") long number,
      @Parameter(description = "The revision to compare with; default: the one before") @RequestParam("against")
          Optional<Long> against,
      @Parameter(description = REALM) @RequestParam("realm") Optional<String> realm) {
    long before = against.map(this::existing).map(Revision::number).orElse(number - 1);
    existing(number);
    return turn.take(() -> DiffView.of(before, number, revisions.diff(before, number).within(shown(realm))));
  }

  @PostMapping
  @RequiresRole(value = AdministratorRole.ADMIN, checksRealms = true, recentLogin = true)
  @Operation(
      operationId = "proposeRevision",
      summary = "Bring proposed files into use, or show what they would change, with all their problems",
      description = "A dry run also asks the decisions recorded in the last day again: which requests people would gain or lose. Where the configuration is read from files, only `dryRun=true` is possible. `If-Match` has the number of the revision that "
          + "the change was made for. A role in one realm proposes realms/NAME.yaml, files in realms/NAME/ and secrets named NAME.… of that"
          + " realm, and nothing that realms.NAME in gatehouse.yaml does not grant.")
  @ApiResponse(responseCode = "200", description = "dryRun: the files could be used. Otherwise: nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The files are in use, as a new revision")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The files have problems; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  ResponseEntity<PlanView> propose(
      @RequestBody ProposedFilesView proposed,
      @Parameter(description = "true: only check and compare") @RequestParam(name = "dryRun", defaultValue = "false") boolean dryRun,
      @Parameter(description = "The revision that the change was made for, in quotation marks")
          @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    Map<String, byte[]> files = ProposedContents.files(proposed.files());
    Map<String, byte[]> secrets = ProposedContents.secrets(proposed.secrets());
    ChangeScope scope =
        rights.mayEverywhere(AdministratorRole.ADMIN) ? ChangeScope.all() : changes.scope(rights, ProposedContents.realm(files, secrets));
    boolean complete = proposed.complete().orElse(scope.equals(ChangeScope.all()));
    if (dryRun) {
      if (!ifMatch.isEmpty()) {
        RevisionChanges.number(ifMatch);
      }
      return plan(new ProposedChange(0, files, complete, secrets, rights.administrator(), "-", scope));
    }
    long expected = changes.expected(ifMatch);
    String reason = RevisionChanges.reason(proposed.reason());
    ProposedChange change = new ProposedChange(expected, files, complete, secrets, rights.administrator(), reason, scope);
    return answer(expected, changes.apply(change), scope);
  }

  /** Answers what a change would change. */
  ResponseEntity<PlanView> plan(ProposedChange change) {
    Map<String, String> details = Map.of("files", String.valueOf(change.files().size()));
    audit.record(RevisionChanges.audited(change.scope()), change.author(), "configuration.plan", details);
    ConfigurationControl.Plan plan = control.plan(change.files(), change.complete(), change.secrets(), change.scope());
    long before = changes.inUse();
    RevisionDiff diff = revisions.diff(before, plan.tree()).within(change.scope());
    PlanView view = view(before, plan.problems(), diff, effects.of(plan, change.scope()));
    return ResponseEntity.status(plan.problems().isEmpty() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT).eTag(tag(before)).body(view);
  }

  @PostMapping("/{number}/rollback")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "rollBack",
      summary = "Bring the files of a revision back into use, as a new revision",
      description = "Secrets keep their present values. With `realm`, only that realm's own file and folder change. `If-Match` has the number of"
          + " the revision in use.")
  @ApiResponse(responseCode = "200", description = "Nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The files are in use, as a new revision")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The files cannot be used any more; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  public ResponseEntity<PlanView> rollBack(
      @PathVariable("number") long number,
      @Parameter(description = "The revision in use, in quotation marks")
          @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @Parameter(description = "Why, for people who read the revisions later") @RequestParam("reason") Optional<String> reason,
      @Parameter(description = REALM) @RequestParam("realm") Optional<String> realm,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    existing(number);
    long expected = changes.expected(ifMatch);
    String why = RevisionChanges.reason(reason.or(() -> Optional.of("Back to revision " + number)));
    return answer(expected, changes.rollBack(number, expected, rights, why, realm), shown(realm));
  }

  /** Answers a change that was made for a revision. */
  ResponseEntity<PlanView> answer(long before, StoredRealms.Change change, ChangeScope scope) {
    return switch (change) {
      case StoredRealms.Change.Applied(Revision revision) ->
          ResponseEntity.created(URI.create("/admin/v1/revisions/" + revision.number()))
              .eTag(tag(revision.number()))
              .body(view(revision.number(), List.of(), revisions.diff(before, revision.number()).within(scope), Optional.empty()));
      case StoredRealms.Change.Unchanged(long number) ->
          ResponseEntity.ok().eTag(tag(number)).body(new PlanView(number, List.of(), List.of(), List.of(), Optional.empty()));
      case StoredRealms.Change.Invalid(List<Problem> problems) ->
          ResponseEntity.unprocessableContent().body(new PlanView(before, RevisionViews.problems(problems), List.of(), List.of(), Optional.empty()));
      case StoredRealms.Change.Conflict(long current) -> throw changes.stale(before, current, scope);
    };
  }

  private static PlanView view(long number, List<Problem> problems, RevisionDiff diff, Optional<EffectView> effect) {
    return new PlanView(number, RevisionViews.problems(problems), RevisionViews.changes(diff), RevisionViews.files(diff), effect);
  }

  /** Returns the entity tag of a revision. */
  public static String tag(long number) {
    return "\"" + number + "\"";
  }

  private Revision existing(long number) {
    return revisions.find(number).orElseThrow(() -> new NotFound("There is no revision " + number + "."));
  }
}
