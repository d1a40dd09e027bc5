package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.revision.RevisionDiff;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The JSON of revisions and their differences. */
public final class RevisionViews {

  /** A revision. */
  @Schema(name = "Revision")
  public record RevisionView(
      @Schema(description = "Counted from 1") long number,
      @Schema(description = "The administrator key that made it, or `files`") String author,
      Instant at,
      String reason) {

    static RevisionView of(Revision revision) {
      return new RevisionView(revision.number(), revision.author(), revision.at(), revision.reason());
    }
  }

  /** A page of revisions. */
  @Schema(name = "Revisions")
  public record RevisionPage(
      @Schema(description = "The newest first") List<RevisionView> revisions,
      @Schema(description = "The revision in use; 0 if none is stored yet") long inUse,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  /** The files of a revision. */
  @Schema(name = "RevisionFiles")
  public record FilesView(long number, List<FileView> files) {}

  /** A file of a revision. */
  @Schema(name = "RevisionFile")
  public record FileView(
      @Schema(description = "Within the configuration directory, or absolute", example = "realms/demo.yaml") String path,
      @Schema(description = "Whether its content is a secret; it is not stored then") boolean secret,
      @Schema(description = "The content of a text, with secrets replaced by ***") Optional<String> text,
      @Schema(description = "The content of anything else, in base64") Optional<String> base64) {}

  /** The difference of two revisions. */
  @Schema(name = "RevisionDiff")
  public record DiffView(
      @Schema(description = "0 if there is nothing to compare with") long before,
      @Schema(description = "The later revision") long after,
      @Schema(description = "Partners, clients, routes and so on that differ") List<SubjectView> changes,
      List<FileDiffView> files) {

    static DiffView of(long before, long after, RevisionDiff diff) {
      return new DiffView(before, after, RevisionViews.changes(diff), RevisionViews.files(diff));
    }
  }

  /** Proposed files of realms. */
  @Schema(name = "ProposedFiles")
  public record ProposedFilesView(
      List<ProposedFileView> files,
      @Schema(description = "Whether realms without a file here are removed; default: true") Optional<Boolean> complete,
      @Schema(description = "New values of secrets that the files name; where the configuration is in the database")
          Optional<List<ProposedSecretView>> secrets,
      @Schema(description = "Why, for people who read the revisions later") Optional<String> reason) {}

  /** A new value of a named secret. */
  @Schema(name = "ProposedSecret")
  public record ProposedSecretView(
      @Schema(example = "crm.client-secret") String name,
      @Schema(description = "The value as text", accessMode = Schema.AccessMode.WRITE_ONLY) Optional<String> text,
      @Schema(description = "The value in base64, for stores of keys", accessMode = Schema.AccessMode.WRITE_ONLY) Optional<String> base64) {

    /** Does not contain the value. */
    @Override
    public String toString() {
      return "ProposedSecretView[" + name + "]";
    }
  }

  /** A proposed file. */
  @Schema(name = "ProposedFile")
  public record ProposedFileView(
      @Schema(description = "Within the configuration directory", example = "realms/demo.yaml") String path,
      @Schema(description = "The content of a text") Optional<String> text,
      @Schema(description = "The content of anything else, in base64") Optional<String> base64) {}

  /** What proposed files would change. */
  @Schema(name = "RevisionPlan")
  public record PlanView(
      @Schema(description = "The revision in use") long before,
      @Schema(description = "All problems; without one, the files could be used") List<ProblemView> problems,
      @Schema(description = "Partners, clients, routes and so on that differ") List<SubjectView> changes,
      List<FileDiffView> files,
      @Schema(description = "Of a dry run without problems, on a node with the role gateway") Optional<EffectView> effect) {}

  /** Something that an administrator configures, which differs. */
  @Schema(name = "RevisionChange")
  public record SubjectView(
      String realm,
      @Schema(allowableValues = {"client", "contract", "partner", "policy", "provider", "route", "setting"}) String kind,
      @Schema(example = "https://sp.example.org/metadata") String name,
      @Schema(allowableValues = {"added", "changed", "removed"}) String change,
      List<FieldView> fields) {}

  /** A field that differs. */
  @Schema(name = "RevisionField")
  public record FieldView(
      @Schema(example = "cache.default") String field,
      @Schema(description = "Absent if the field is new; `(secret)` for a secret") Optional<String> before,
      @Schema(description = "Absent if the field was removed; `(secret)` for a secret") Optional<String> after) {}

  /** A file that differs. */
  @Schema(name = "RevisionFileDiff")
  public record FileDiffView(
      String path,
      @Schema(allowableValues = {"added", "changed", "removed"}) String change,
      boolean secret,
      @Schema(description = "In the unified format, with secrets replaced by ***; absent if it is a secret or no text")
          Optional<String> diff) {}

  private RevisionViews() {}

  static List<ProblemView> problems(List<Problem> problems) {
    return problems.stream().map(ProblemView::of).toList();
  }

  static List<SubjectView> changes(RevisionDiff diff) {
    return diff.subjects().stream()
        .map(
            subject ->
                new SubjectView(
                    subject.realm(),
                    subject.kind(),
                    subject.name(),
                    word(subject.change()),
                    subject.fields().stream().map(f -> new FieldView(f.field(), f.before(), f.after())).toList()))
        .toList();
  }

  static List<FileDiffView> files(RevisionDiff diff) {
    return diff.files().stream()
        .map(file -> new FileDiffView(file.path(), word(file.change()), file.isSecret(), file.text()))
        .toList();
  }

  private static String word(RevisionDiff.Change change) {
    return change.name().toLowerCase(Locale.ROOT);
  }
}
