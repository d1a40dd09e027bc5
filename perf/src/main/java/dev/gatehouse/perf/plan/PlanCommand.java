package dev.gatehouse.perf.plan;

import dev.gatehouse.perf.harness.ResultsOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench plan}. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Compute how many nodes a load needs, with how much memory, and how large the stores get: from the measured costs in",
      "perf/results, which are named. Nothing is measured. What is not known is said."
    })
public final class PlanCommand implements Callable<Integer> {

  @Option(names = "--logins", paramLabel = "N/s", required = true, converter = Quantity.Rate.class,
      description = "Logins in a second, each with a logout later: 2000/s.")
  Quantity logins = new Quantity(0);

  @Option(names = "--sessions", paramLabel = "N", required = true, converter = Quantity.Count.class,
      description = "People who are logged in at one time: 20M.")
  Quantity sessions = new Quantity(0);

  @Option(names = "--hits", paramLabel = "N/s", required = true, converter = Quantity.Rate.class,
      description = "Requests to protected pages in a second: 500k/s.")
  Quantity hits = new Quantity(0);

  @Option(names = "--cached", description = "Pages come from the gateway's memory; by default from apps.")
  boolean cached;

  @Option(names = "--page-bytes", paramLabel = "N", defaultValue = "14000", description = "Size of a page (${DEFAULT-VALUE}).")
  int pageBytes;

  @Option(names = "--cores", paramLabel = "N", defaultValue = "8", description = "Cores of a node (${DEFAULT-VALUE}).")
  int cores;

  @Option(names = "--utilisation", paramLabel = "P", defaultValue = "0.6",
      description = "Share of the cores that may be busy while the spare nodes are missing (${DEFAULT-VALUE}).")
  double utilisation;

  @Option(names = "--spare", paramLabel = "N", defaultValue = "1",
      description = "Nodes of each role that may be missing (${DEFAULT-VALUE}).")
  int spare;

  @Option(names = "--storage", defaultValue = "shared", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  Wish.Storage storage = Wish.Storage.SHARED;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try {
      Wish.Nodes nodes = new Wish.Nodes(cores, utilisation, spare);
      Wish wish = new Wish(logins.value(), hits.value(), sessions.value(), pageBytes, cached, nodes, storage);
      Costs costs = Costs.read(output.results);
      SharedCosts shared = SharedCosts.read(output.results);
      spec.commandLine().getOut().print(new PlanReport(wish, costs, shared, Plan.of(wish, costs, shared)).text());
      spec.commandLine().getOut().flush();
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return ExitCode.USAGE;
    }
  }
}
