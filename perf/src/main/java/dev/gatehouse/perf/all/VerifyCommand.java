package dev.gatehouse.perf.all;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.report.Agreement;
import dev.gatehouse.perf.report.Circumstances;
import dev.gatehouse.perf.report.Numbers;
import dev.gatehouse.perf.report.Plan;
import dev.gatehouse.perf.report.Records;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.RowRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Run a row of bench all again, and say whether it agrees with its record.",
      "It runs with the options of its record. It agrees if the median of each figure lies within the recorded rounds, widened by the",
      "tolerance. Exits with 1 if a figure does not agree or was not measured, and with 2 if",
      "there is nothing to compare with. The record stays as it is."
    })
public final class VerifyCommand implements Callable<Integer> {

  private static final double PERCENT = 100;

  @Parameters(paramLabel = "ROW", description = "Its name in bench all --list.")
  String name = "";

  @Option(names = "--tolerance", paramLabel = "PERCENT", defaultValue = "10",
      description = "How far a median may lie outside the recorded rounds (${DEFAULT-VALUE}).")
  double tolerance;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  private final Plan plan = AllRows.plan();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Row row =
        plan.row(name)
            .orElseThrow(() -> new ParameterException(spec.commandLine(), "there is no row '" + name + "'; see bench all --list"));
    if (!(tolerance >= 0)) {
      throw new ParameterException(spec.commandLine(), "--tolerance must be 0 or more, in percent");
    }
    Optional<RowRecord> found = new Records(output.results.resolve("all")).find(name);
    String none = "row '" + name + "' has no record; ./gatehouse bench all --rows " + name + " makes one";
    String problem = found.map(each -> problem(row, each)).orElse(none);
    if (!problem.isEmpty()) {
      spec.commandLine().getErr().println(problem);
      return ExitCode.USAGE;
    }
    RowRecord recorded = found.orElseThrow();
    RowRunner runner = new RowRunner(spec.root().userObject().getClass(), MeasuredCommit.here(), Path.of("target", "bench-verify"));
    RowRecord now = runner.run(row, recorded.quick());
    List<Agreement> agreements = Agreement.of(recorded, now, tolerance / PERCENT);
    PrintWriter out = spec.commandLine().getOut();
    out.print(text(recorded, now, agreements));
    out.flush();
    return agreements.stream().allMatch(Agreement::agrees) ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static String problem(Row row, RowRecord recorded) {
    if (recorded.figures().isEmpty()) {
      return "the record of row '" + row.id() + "' has no figures: " + recorded.reason();
    }
    boolean isKnown = !recorded.quick() || row.isQuick();
    return isKnown && recorded.command().equals(row.command(recorded.quick()))
        ? ""
        : "the row has other options now than in its record: " + recorded.command();
  }

  private String text(RowRecord recorded, RowRecord now, List<Agreement> agreements) {
    Markdown table = Markdown.table("figure | recorded | allowed | now | agrees");
    for (Agreement each : agreements) {
      table.row(
          "%s, %s | %s | %s to %s | %s | %s", each.figure(), each.unit(), Numbers.of(each.recorded().median()), Numbers.of(each.least()),
          Numbers.of(each.most()), each.now().map(Numbers::of).orElse("not measured"), each.agrees() ? "yes" : "NO");
    }
    long not = agreements.stream().filter(each -> !each.agrees()).count();
    String verdict =
        not == 0
            ? format("%s agrees with its record, within the recorded spread and %.0f %%.\n", name, tolerance)
            : format(
                "%s does NOT agree with its record in %d of %d figures (tolerance %.0f %%).\n", name, not, agreements.size(), tolerance);
    return "recorded: " + line(recorded) + "\nnow:      " + line(now) + "\n" + remark(recorded.circumstances().machine(), now) + table
        + "\n" + verdict + (now.reason().isEmpty() ? "" : now.reason() + "\n");
  }

  private static String line(RowRecord seen) {
    Circumstances at = seen.circumstances();
    return format(
        "commit %s, %s, %s; %,.0f RSA signatures per CPU second before it, %,.0f after", at.commit(), at.began(), at.busy(),
        at.signaturesBefore(), at.signaturesAfter());
  }

  private static String remark(Machine there, RowRecord now) {
    Machine here = now.circumstances().machine();
    return there.equals(here) ? "" : "The record is of another machine: " + there + "; this one is " + here + ".\n";
  }
}
