package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.revision.RevisionDiff;
import dev.gatehouse.gateway.cli.SafeText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The effect of proposed files, as {@code /admin/v1/revisions?dryRun=true} answers.
 *
 * @param before the revision in use
 * @param effect on people, if the node records decisions
 */
public record PlannedChange(
    long before, List<Problem> problems, List<Change> changes, List<FileChange> files, Optional<PlannedEffect> effect) {

  /** A problem, as {@code check} prints it. */
  public record Problem(String file, int line, String key, String message, String remedy) {}

  /** A partner, client, route and so on that differs. */
  public record Change(String realm, String kind, String name, String change, List<Field> fields) {}

  /** A field that differs. */
  public record Field(String field, Optional<String> before, Optional<String> after) {}

  /** A file that differs. */
  public record FileChange(String path, String change, boolean secret, Optional<String> diff) {}

  /** Returns the effect of files that were compared here. */
  public static PlannedChange of(long before, List<dev.gatehouse.common.realm.Problem> problems, RevisionDiff diff) {
    return new PlannedChange(
        before,
        problems.stream().map(p -> new Problem(p.file().toString(), p.line(), p.key(), p.message(), p.remedy())).toList(),
        diff.subjects().stream()
            .map(
                s ->
                    new Change(
                        s.realm(), s.kind(), s.name(), word(s.change()),
                        s.fields().stream().map(f -> new Field(f.field(), f.before(), f.after())).toList()))
            .toList(),
        diff.files().stream().map(f -> new FileChange(f.path(), word(f.change()), f.isSecret(), f.text())).toList(),
        Optional.empty());
  }

  private static String word(RevisionDiff.Change change) {
    return change.name().toLowerCase(Locale.ROOT);
  }

  /** Prints everything for people, of files that were proposed. */
  public void print(PrintWriter out) {
    printChanges(out);
    effect.filter(people -> !files.isEmpty()).ifPresent(people -> people.print(out));
    out.println(summary());
  }

  /** Prints everything for people, of files that are in use now; {@link #before} is their revision. */
  public void printApplied(PrintWriter out) {
    printChanges(out);
    out.println(
        problems.isEmpty()
            ? files.isEmpty() ? "Nothing differs from revision " + before + "." : "Revision " + before + " is in use."
            : count(problems, "problem") + ": nothing was changed.");
  }

  private void printChanges(PrintWriter out) {
    for (Problem problem : problems) {
      String place = problem.line() == 0 ? problem.file() : problem.file() + ":" + problem.line();
      println(out, place + ": " + problem.key() + ": " + problem.message() + " — " + problem.remedy());
    }
    for (Change change : changes) {
      println(out, sign(change.change()) + " " + change.realm() + ": " + change.kind() + " " + change.name());
      change.fields().forEach(field -> print(field, out));
    }
    for (FileChange file : files) {
      println(out, sign(file.change()) + " " + file.path() + (file.secret() ? " (secret)" : ""));
      file.diff().map(SafeText::lines).ifPresent(out::print);
    }
  }

  private String summary() {
    if (!problems.isEmpty()) {
      return count(problems, "problem") + ": this configuration would be rejected.";
    }
    return files.isEmpty()
        ? "Nothing would change."
        : count(changes, "change") + " in " + count(files, "file") + " against revision " + before + ".";
  }

  private static String count(List<?> things, String word) {
    return things.size() + " " + word + (things.size() == 1 ? "" : "s");
  }

  private static void print(Field field, PrintWriter out) {
    String text =
        field.before().isEmpty()
            ? field.after().orElse("")
            : field.after().isEmpty() ? "was " + field.before().get() : field.before().get() + " -> " + field.after().get();
    println(out, "    " + field.field() + ": " + text);
  }

  /** Other administrators and partners choose names and contents. */
  private static void println(PrintWriter out, String line) {
    out.println(SafeText.line(line));
  }

  private static String sign(String change) {
    return switch (change) {
      case "added" -> "+";
      case "removed" -> "-";
      default -> "~";
    };
  }
}
