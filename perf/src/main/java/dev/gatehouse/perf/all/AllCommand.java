package dev.gatehouse.perf.all;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.report.Plan;
import dev.gatehouse.perf.report.Records;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.RowRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench all}. */
@Command(
    name = "all",
    mixinStandardHelpOptions = true,
    description = {
      "Run every row of FIGURES S1 to S6, with peers, limits and scaling curves, and write one report.",
      "The other benchmarks measure them, one after the other. REPORT.md, report.html and a part of the sizing page are written after each",
      "row, from its record in RESULTS/all. Started again at the same commit on the same machine (processor, cores, memory, JDK), it goes",
      "on with the rows that have none; at another commit or on another machine it begins anew, and keeps the former records in",
      "RESULTS/all/former. A row that fails is recorded so, and tried again next time. Takes hours; --list says how many."
    })
public final class AllCommand implements Callable<Integer> {

  @Option(names = "--quick", description = "Shorter rounds and fewer points of curves: at most 90 minutes, after which rows are left out.")
  boolean quick;

  @Option(names = "--rows", paramLabel = "ROW", split = ",", description = "Run only these rows; default: all. --list has their names.")
  List<String> names = List.of();

  @Option(names = "--list", description = "List the rows with their estimated minutes and state, and exit.")
  boolean list;

  @Option(names = "--resume",
      description = "Only go on: exit with 2 if there are records of another commit or machine, in place of beginning anew.")
  boolean resume;

  @Option(names = "--again", description = "Run rows that are finished, too.")
  boolean again;

  @Option(names = "--report", description = "Only write the report again from the records.")
  boolean onlyReport;

  @Option(names = "--sizing-page", paramLabel = "FILE", defaultValue = "docs/explanation/sizing.md",
      description = "The page whose marked part is written from the curves (${DEFAULT-VALUE}).")
  Path sizingPage = Path.of("docs/explanation/sizing.md");

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  private final Plan plan = AllRows.plan();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Records records = new Records(output.results.resolve("all"));
    Outputs outputs = new Outputs(plan, records, output.results, sizingPage);
    if (onlyReport) {
      outputs.write();
      return ExitCode.OK;
    }
    String commit = MeasuredCommit.here();
    Machine machine = Machine.here();
    Finished finished = new Finished(commit, machine, quick);
    List<Row> chosen = chosen();
    if (list) {
      list(chosen, records.all(), finished);
      return ExitCode.OK;
    }
    String here = "commit " + commit + " on this machine (" + machine + ")";
    List<String> others = records.elsewhere(commit, machine);
    if (resume && !others.isEmpty()) {
      spec.commandLine().getErr().println(
          "there is nothing to go on with at " + here + ": there are records of " + String.join(", ", others)
              + "; without --resume they are put aside, and their rows begin anew");
      return ExitCode.USAGE;
    }
    for (String each : records.putAside(commit, machine)) {
      System.err.println("records of " + each + " were put aside, because a report is of one commit on one machine; now it is " + here);
    }
    RowRunner runner = new RowRunner(spec.root().userObject().getClass(), commit, Path.of("target", "bench-all"));
    AllRun.Runner sameCode =
        (row, isQuick) -> {
          requireCommit(commit);
          RowRecord seen = runner.run(row, isQuick);
          requireCommit(commit);
          return seen;
        };
    boolean whole = new AllRun(finished, records, sameCode, outputs::write, again, System.err).run(chosen);
    outputs.write();
    System.err.println("report: " + output.results.resolve(Outputs.MARKDOWN) + ", " + output.results.resolve(Outputs.HTML));
    return whole ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Nodes are started from the checkout, and built again if it was changed. */
  private static void requireCommit(String commit) throws IOException, InterruptedException {
    String now = MeasuredCommit.here();
    if (!now.equals(commit)) {
      throw new IOException("the code changed from " + commit + " to " + now + " during the run; the row is not recorded, and the run ends here");
    }
  }

  private List<Row> chosen() {
    for (String each : names) {
      if (plan.row(each).isEmpty()) {
        throw new ParameterException(
            spec.commandLine(),
            "there is no row '" + each + "'; there are " + String.join(", ", plan.rows().stream().map(Row::id).toList()));
      }
      if (quick && !plan.row(each).orElseThrow().isQuick()) {
        throw new ParameterException(spec.commandLine(), "row '" + each + "' takes too long for --quick; leave one of them away");
      }
    }
    return plan.rows().stream().filter(row -> names.isEmpty() || names.contains(row.id())).filter(row -> !quick || row.isQuick()).toList();
  }

  private void list(List<Row> chosen, Map<String, RowRecord> records, Finished finished) {
    PrintWriter out = spec.commandLine().getOut();
    double all = 0;
    double left = 0;
    for (Row row : chosen) {
      double minutes = row.length(quick).minutes();
      all += minutes;
      left += finished.has(row, records) ? 0 : minutes;
      out.println(format("%-22s %5.1f min  %-28s %s", row.id(), minutes, finished.state(row, records), row.title()));
    }
    List<String> without = new ArrayList<>();
    if (quick) {
      plan.rows().stream().filter(row -> !row.isQuick()).forEach(row -> without.add(row.id()));
    }
    out.println(format("%d rows, about %.0f minutes, of which %.0f are left, at commit %s", chosen.size(), all, left, finished.commit()));
    if (!without.isEmpty()) {
      out.println("not in --quick: " + String.join(", ", without));
    }
    out.flush();
  }
}
