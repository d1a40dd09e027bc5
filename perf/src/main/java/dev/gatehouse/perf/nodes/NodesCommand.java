package dev.gatehouse.perf.nodes;

import dev.gatehouse.common.faults.SharedFault;
import dev.gatehouse.perf.gateway.Scenario;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.plan.PlanPoints;
import dev.gatehouse.perf.sessions.SessionKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code bench nodes}. */
@Command(
    name = "nodes",
    description = {
      "Measure several nodes with PostgreSQL and Valkey: the CPU of a SAML login at 2+2 nodes against 1+1, shared against",
      "embedded storage at one node in turns, the bytes of a session in Valkey, the gap in service when a node or a store is",
      "killed, and the rows of FIGURES S1, S2, S4 and S5 by number of nodes. Also writes plan-points.json for bench plan. Needs",
      "slapd, nginx, wrk, openssl, PostgreSQL, Valkey and HAProxy. Takes about 80 minutes, half an hour with --quick, by the lengths",
      "of its rows."
    })
public final class NodesCommand extends BenchmarkCommand {

  private static final int QUICK_WARM_UP = 10;
  private static final int QUICK_SECONDS = 5;
  /** Load of logins after which nodes do not become faster any more: the first columns would seem dearer than the others. */
  private static final int COLUMNS_WARM_UP = 300;

  @Option(names = "--row", paramLabel = "ROW", split = ",",
      description = "Run only these rows; default: all. An unknown name prints the list.")
  List<String> names = List.of();

  @Option(names = "--scenario", paramLabel = "SCENARIO", split = ",",
      description = "Run only these scenarios of the row s2, by their names in bench gateway; default: all that it has. An unknown name"
          + " prints the list.")
  List<String> scenarios = List.of();

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "30",
      description = "Warm-up of each row at each server (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(names = "--sessions", paramLabel = "N", defaultValue = "50000",
      description = "Sessions whose memory in Valkey is measured (${DEFAULT-VALUE}).")
  int sessions;

  @Option(names = "--quick", description = "Two rounds of 5 s after a warm-up of 10 s.")
  boolean quick;

  private final List<ValkeyBytes> bytes = new ArrayList<>();
  private final List<Gap> gaps = new ArrayList<>();
  private final List<ValkeyCommands> commands = new ArrayList<>();

  public NodesCommand() {
    super(new Options(4, 10));
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    if (isComparison()) {
      throw new ParameterException(spec.commandLine(), "nodes compares storages, not builds; use bench sso, oauth or gateway");
    }
    if (quick) {
      warmUp = QUICK_WARM_UP;
      options.rounds = 2;
      options.seconds = QUICK_SECONDS;
    }
    List<Row> rows = chosen(names, Row.values(), Row::word);
    if (!scenarios.isEmpty() && !rows.contains(Row.S2)) {
      throw new ParameterException(spec.commandLine(), "--scenario chooses among those of the row s2: add s2 to --row, or leave it out");
    }
    List<Scenario> secured = chosen(scenarios, Scenario.byHttps().toArray(Scenario[]::new), Scenario::word);
    measureMemory(run, rows);
    List<Row> pairs = rows.stream().filter(Row::isPair).toList();
    List<Row> cluster =
        Stream.of(Row.S1, Row.S1_COLUMNS, Row.S2, Row.S4_S5).filter(rows::contains).toList();
    if (!pairs.isEmpty() || !cluster.isEmpty()) {
      try (SharedServers shared = SharedServers.start()) {
        if (!pairs.isEmpty()) {
          measurePairs(run, shared, pairs);
        }
        if (!cluster.isEmpty()) {
          measureCluster(run, shared, cluster, secured);
        }
      }
    }
    measureGaps(run, rows);
  }

  private void measureMemory(Run run, List<Row> rows) throws InterruptedException {
    if (rows.contains(Row.SESSIONS)) {
      try {
        bytes.add(ValkeyBytes.measure(SessionKind.IDP, sessions));
        bytes.add(ValkeyBytes.measure(SessionKind.GATEWAY, sessions));
        bytes.forEach(each -> System.err.println(each));
      } catch (IOException e) {
        run.fail(Row.SESSIONS.title(), e);
      }
    }
  }

  private void measurePairs(Run run, SharedServers shared, List<Row> rows) throws InterruptedException {
    try (Pairs pairs = new Pairs(run, run.work().resolve("pairs"), shared, warmUp)) {
      run.measure(pairs.open(rows), options.rounds, options.seconds);
    } catch (IOException e) {
      run.fail("one node", e);
    }
  }

  private void measureCluster(Run run, SharedServers shared, List<Row> rows, List<Scenario> secured) throws InterruptedException {
    try (ClusterRows cluster = new ClusterRows(run.work().resolve("cluster"), shared)) {
      List<Load> loads = cluster.open(rows, secured);
      List<Load> warm = warmedUp(run, loads.stream().filter(load -> !isColumn(load)).toList());
      run.measure(warm, options.rounds, options.seconds);
      countCommands(run, shared, loads);
      measureColumns(run, loads.stream().filter(NodesCommand::isColumn).toList());
    } catch (IOException e) {
      run.fail("several nodes", e);
    }
  }

  /** Those that got through their warm-up: one row that fails ends no others. */
  private List<Load> warmedUp(Run run, List<Load> loads) throws InterruptedException {
    List<Load> warm = new ArrayList<>();
    for (Load load : loads) {
      try {
        run.run(load, Phase.WARM_UP, warmUp);
        warm.add(load);
      } catch (IOException e) {
        run.fail(load.server().name() + ", " + load.row(), e);
      }
    }
    return warm;
  }

  /** Measures the columns forth and back, so that nodes that change meanwhile favour none of them. */
  private void measureColumns(Run run, List<Load> columns) throws InterruptedException {
    int uncounted = quick || columns.isEmpty() ? 1 : Math.ceilDiv(COLUMNS_WARM_UP, columns.size() * options.seconds);
    run.measure(columns, uncounted + 1, uncounted, options.seconds);
    if (!quick) {
      run.measure(columns.reversed(), 1, options.seconds);
    }
  }

  private void countCommands(Run run, SharedServers shared, List<Load> loads) throws IOException, InterruptedException {
    for (Load load : loads) {
      if (load.row().equals(Row.S1.word()) && !load.server().name().contains(Pairs.EMBEDDED)) {
        long before = shared.commands();
        Iteration uncounted = run.run(load, Phase.WARM_UP, options.seconds);
        commands.add(new ValkeyCommands(load.server().name(), (double) (shared.commands() - before) / uncounted.operations()));
      }
    }
  }

  private static boolean isColumn(Load load) {
    return ClusterRows.columns().stream().anyMatch(each -> each.name().equals(load.row()));
  }

  private void measureGaps(Run run, List<Row> rows) throws InterruptedException {
    if (rows.contains(Row.GAP)) {
      for (SharedFault fault : Gap.FAULTS) {
        try {
          gaps.add(Gap.at(fault));
          System.err.println(gaps.getLast());
        } catch (IOException e) {
          run.fail(fault.description(), e);
        }
      }
    }
  }

  @Override
  protected List<?> details() {
    return Stream.of(bytes, gaps, commands).flatMap(List::stream).toList();
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Warm-up", warmUp + " s");
    settings.put("Stores", "PostgreSQL with a synchronous standby, Valkey with two replicas (acknowledge: replica), files in memory");
  }

  @Override
  protected String conclusions(List<Iteration> iterations) throws IOException {
    NodesConclusions seen = new NodesConclusions(iterations, bytes, gaps, commands);
    try {
      seen.addTo(PlanPoints.of(options.results), Report.commitHere()).write();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return seen.markdown() + "\n## Points of bench plan\n" + points();
  }

  private String points() {
    try {
      return PlanPoints.checked(options.results);
    } catch (IllegalArgumentException e) {
      // What was measured is reported without results of other benchmarks, too.
      return "\nNot compared with the formulas: " + e.getMessage() + ".\n";
    }
  }
}
