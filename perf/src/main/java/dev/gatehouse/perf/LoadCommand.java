package dev.gatehouse.perf;

import dev.gatehouse.perf.gatling.LoginSimulation;
import dev.gatehouse.perf.gatling.WebSimulation;
import dev.gatehouse.perf.report.Comparison;
import dev.gatehouse.perf.report.Machine;
import dev.gatehouse.perf.report.Report;
import dev.gatehouse.perf.report.Round;
import dev.gatehouse.perf.report.ServerCost;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Federation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The benchmarks under load: each starts its servers, runs rounds of load, and writes its report. */
abstract sealed class LoadCommand implements Callable<Integer>
    permits SamlCommand, LoadCommand.Web, LoadCommand.DirectorySize {

  @Mixin LoadOptions options;

  @ParentCommand Bench bench = new Bench();

  LoadCommand(LoadOptions options) {
    this.options = options;
  }

  /** The name, also of the result files. */
  abstract String name();

  /** Starts the servers of the scenarios; {@code servers} closes them. */
  abstract List<Load.Scenario> scenarios(Servers servers) throws IOException, InterruptedException;

  abstract List<String> notes();

  abstract Map<String, String> settings();

  /** Conclusions from the rounds, for the beginning of the report; may write further files. */
  String conclusions(List<Round> rounds) throws IOException {
    return "";
  }

  @Override
  public final Integer call() throws IOException, InterruptedException {
    if (options.against.isPresent()) {
      return compare(Build.other(options.against.get()));
    }
    Instant start = Instant.now();
    try (Servers servers = new Servers(Build.here(), Files.createTempDirectory("gatehouse-bench-"), options)) {
      List<Round> rounds = new Load(options, servers.work()).run(scenarios(servers));
      Map<String, String> settings = new LinkedHashMap<>(settings());
      settings.putAll(options.settings());
      Report report =
          new Report(name(), bench.command(), Report.commitHere(), start, Machine.here(), settings, rounds, notes());
      System.out.println(report.write(options.results, conclusions(rounds)));
      return rounds.stream().mapToLong(Round::failures).sum() == 0 ? 0 : 1;
    }
  }

  /** Runs each round with this build and then with the other one; each build has its own nodes, directory and app. */
  private int compare(Build other) throws IOException, InterruptedException {
    Build ours = Build.here();
    Path work = Files.createTempDirectory("gatehouse-bench-");
    Comparison comparison = new Comparison(ours.name());
    long failures = 0;
    try (Servers our = new Servers(ours, work.resolve("ours"), options);
        Servers their = new Servers(other, work.resolve("other"), options)) {
      List<Load.Scenario> ourScenarios = scenarios(our);
      List<Load.Scenario> theirScenarios = scenarios(their);
      Load ourLoad = new Load(options, our.work());
      Load theirLoad = new Load(options, their.work());
      for (int number = 1; number <= options.rounds; number++) {
        for (int i = 0; i < ourScenarios.size(); i++) {
          Round ourRound = ourLoad.round(ourScenarios.get(i), number);
          Round theirRound = theirLoad.round(theirScenarios.get(i), number);
          failures += ourRound.failures() + theirRound.failures();
          if (number > options.uncounted) {
            comparison.add(ourRound.scenario(), ours.name(), perCpuSecond(ourRound));
            comparison.add(theirRound.scenario(), other.name(), perCpuSecond(theirRound));
          }
        }
      }
    }
    System.out.println(comparison.write(options.results, name() + "-against", bench.command()));
    return failures == 0 ? 0 : 1;
  }

  /** Transactions per CPU second of all nodes, without the directory. */
  private static double perCpuSecond(Round round) {
    double milliseconds =
        round.servers().stream().filter(cost -> !cost.server().equals("slapd")).mapToDouble(ServerCost::cpuMsPerTransaction).sum();
    return 1000 / milliseconds;
  }

  /** A first version of S2. */
  @Command(
      name = "web",
      mixinStandardHelpOptions = true,
      description =
          "S2, first part: a public page, a login through the form, eleven protected pages, with a check of the session for"
              + " each.")
  static final class Web extends LoadCommand {

    Web() {
      super(new LoadOptions(8, 30));
    }

    @Mixin PeopleOption people = new PeopleOption();

    @Override
    String name() {
      return "web";
    }

    @Override
    List<Load.Scenario> scenarios(Servers servers) throws IOException, InterruptedException {
      Federation.Setup plain = Federation.Setup.plain();
      return List.of(
          new Load.Scenario(
              "public page, form login, protected pages",
              WebSimulation.class,
              Map.of(),
              "first protected page",
              servers.start(people.number, List.of(plain)).target(plain.realm())));
    }

    @Override
    List<String> notes() {
      return List.of(
          "One transaction is a public page, a form login and eleven protected pages; sessions are never logged out.",
          "The published login rows were over HTTPS; this first form is not.");
    }

    @Override
    Map<String, String> settings() {
      return Map.of("People in the directory", Integer.toString(people.number));
    }
  }

  /** Finding 8 of S1, as far as it concerns logins. */
  @Command(
      name = "directory",
      mixinStandardHelpOptions = true,
      description =
          "Measure whether the size of the directory matters: zero-page logins with a small and a large directory in turns.")
  static final class DirectorySize extends LoadCommand {

    DirectorySize() {
      super(new LoadOptions(8, 30));
    }

    @Option(
        names = "--small",
        paramLabel = "N",
        defaultValue = "1000",
        description = "People in the small directory (${DEFAULT-VALUE}).")
    int small;

    @Option(
        names = "--large",
        paramLabel = "N",
        defaultValue = "100000",
        description = "People in the large directory (${DEFAULT-VALUE}).")
    int large;

    @Override
    String name() {
      return "directory";
    }

    @Override
    List<Load.Scenario> scenarios(Servers servers) throws IOException, InterruptedException {
      return List.of(scenario(servers, small), scenario(servers, large));
    }

    private static Load.Scenario scenario(Servers servers, int people) throws IOException, InterruptedException {
      Federation.Setup plain = Federation.Setup.plain();
      Load.Target target = servers.start(people, List.of(plain)).target(plain.realm());
      return new Load.Scenario("login, " + people + " people", LoginSimulation.class, Map.of(), "IdP Login", target);
    }

    @Override
    List<String> notes() {
      return List.of("Each directory has nodes of its own; the sp node is idle here.");
    }

    @Override
    Map<String, String> settings() {
      return Map.of("People", small + " and " + large);
    }
  }
}
