package dev.gatehouse.perf;

import dev.gatehouse.perf.gatling.IdpInitiatedSimulation;
import dev.gatehouse.perf.gatling.LoginSimulation;
import dev.gatehouse.perf.gatling.SpInitiatedSimulation;
import dev.gatehouse.perf.gatling.WebSimulation;
import dev.gatehouse.perf.report.Machine;
import dev.gatehouse.perf.report.Report;
import dev.gatehouse.perf.report.Round;
import dev.gatehouse.perf.server.DemoApp;
import dev.gatehouse.perf.server.Federation;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The benchmarks under load: each starts its servers, offers rounds of load, and writes its report. */
abstract sealed class LoadCommand implements Callable<Integer>
    permits LoadCommand.Saml, LoadCommand.Web, LoadCommand.DirectorySize {

  @Mixin LoadOptions options = new LoadOptions();

  @ParentCommand Bench bench = new Bench();

  /** Also the name of the result's files. */
  abstract String name();

  /** Starts what the scenarios need, handing it to {@code servers} to be closed. */
  abstract List<Load.Scenario> scenarios(Servers servers) throws IOException, InterruptedException;

  abstract List<String> notes();

  abstract Map<String, String> settings();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    try (Servers servers = new Servers(Files.createTempDirectory("gatehouse-bench-"), options)) {
      List<Round> rounds = new Load(options, servers.work).run(scenarios(servers));
      Map<String, String> settings = new LinkedHashMap<>(settings());
      settings.putAll(options.settings());
      Report report =
          new Report(name(), bench.command(), Report.commitHere(), start, Machine.here(), settings, rounds, notes());
      System.out.println(report.write(options.results));
      return rounds.stream().mapToLong(Round::failures).sum() == 0 ? 0 : 1;
    }
  }

  /** Whatever was started, closed in reverse order. */
  static final class Servers implements AutoCloseable {

    private final Path work;
    private final LoadOptions options;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    Servers(Path work, LoadOptions options) {
      this.work = work;
      this.options = options;
    }

    /** slapd with that many people, an app, and two federated nodes. */
    Load.Target start(int people) throws IOException, InterruptedException {
      Path folder = Files.createDirectories(work.resolve("people-" + people));
      Progress loading = new Progress("people loaded", people, System.err);
      SlapdServer slapd = SlapdServer.start(folder.resolve("slapd"), FreePorts.take(), people, loading);
      started.push(slapd);
      DemoApp app = DemoApp.start();
      started.push(app);
      Federation federation = Federation.start(folder, slapd.port(), app.url(), options.key);
      started.push(federation);
      return new Load.Target(federation, slapd.process(), people);
    }

    @Override
    public void close() {
      while (!started.isEmpty()) {
        try {
          started.pop().close();
        } catch (Exception e) {
          System.err.println("could not be stopped: " + e.getMessage());
        }
      }
    }
  }

  /** S1. */
  @Command(
      name = "saml",
      mixinStandardHelpOptions = true,
      description =
          "S1: SAML2 federation. Zero-page login, single sign-on by POST with a transient NameID, HTTP logout; initiated at"
              + " the SP and at the IdP in turn. Two nodes (idp; sp with gateway) and slapd, each a process of its own.")
  static final class Saml extends LoadCommand {

    @Option(
        names = "--people",
        paramLabel = "N",
        defaultValue = "100000",
        description = "People in the directory (${DEFAULT-VALUE}).")
    int people;

    @Override
    String name() {
      return "saml";
    }

    @Override
    List<Load.Scenario> scenarios(Servers servers) throws IOException, InterruptedException {
      Load.Target target = servers.start(people);
      return List.of(
          new Load.Scenario(
              "SP-initiated, transient, POST, HTTP logout", SpInitiatedSimulation.class, "HTTP Logout", target),
          new Load.Scenario(
              "IdP-initiated, transient, POST, HTTP logout", IdpInitiatedSimulation.class, "HTTP Logout", target));
    }

    @Override
    List<String> notes() {
      return List.of(
          "One transaction is login, single sign-on and logout; each step includes the redirects that a browser follows.",
          "The load generator and the app behind the gateway share the machine and are not in the CPU figures.",
          "Sun's figures for these two cells (2007, 1+1 servers of 8 and 6 cores): 202 and 206 TPS.");
    }

    @Override
    Map<String, String> settings() {
      return Map.of("People in the directory", Integer.toString(people));
    }
  }

  /** A first S2. */
  @Command(
      name = "web",
      mixinStandardHelpOptions = true,
      description =
          "S2, first part: a public page, a login through the form, eleven protected pages with the session checked each"
              + " time.")
  static final class Web extends LoadCommand {

    @Option(
        names = "--people",
        paramLabel = "N",
        defaultValue = "100000",
        description = "People in the directory (${DEFAULT-VALUE}).")
    int people;

    @Override
    String name() {
      return "web";
    }

    @Override
    List<Load.Scenario> scenarios(Servers servers) throws IOException, InterruptedException {
      return List.of(
          new Load.Scenario(
              "public page, form login, protected pages",
              WebSimulation.class,
              "first protected page",
              servers.start(people)));
    }

    @Override
    List<String> notes() {
      return List.of(
          "One transaction is a public page, a form login and eleven protected pages; sessions are never logged out.",
          "The published login rows were over HTTPS; this first form is not.");
    }

    @Override
    Map<String, String> settings() {
      return Map.of("People in the directory", Integer.toString(people));
    }
  }

  /** Finding 8 of S1, as far as logins go. */
  @Command(
      name = "directory",
      mixinStandardHelpOptions = true,
      description =
          "Does the directory's size matter? Zero-page logins against two directories, a small and a large one, in turn.")
  static final class DirectorySize extends LoadCommand {

    @Option(
        names = "--small",
        paramLabel = "N",
        defaultValue = "1000",
        description = "People in the small one (${DEFAULT-VALUE}).")
    int small;

    @Option(
        names = "--large",
        paramLabel = "N",
        defaultValue = "100000",
        description = "People in the large one (${DEFAULT-VALUE}).")
    int large;

    @Override
    String name() {
      return "directory";
    }

    @Override
    List<Load.Scenario> scenarios(Servers servers) throws IOException, InterruptedException {
      return List.of(scenario(servers.start(small)), scenario(servers.start(large)));
    }

    private static Load.Scenario scenario(Load.Target target) {
      return new Load.Scenario("login, " + target.people() + " people", LoginSimulation.class, "IdP Login", target);
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
