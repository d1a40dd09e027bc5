package dev.gatehouse.perf.gateway;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench gateway}. */
@Command(
    name = "gateway",
    description = {
      "Compare the access gateway with nginx and HAProxy: pages from the cache, protected pages, pass-through, TLS, new connections,",
      "AuthMark; and measure the rows of FIGURES S2 without nginx, its logins by Gatling. Needs slapd, nginx, wrk and openssl.",
      "Takes 20 minutes with a million people."
    })
public final class GatewayCommand extends BenchmarkCommand {

  private static final int PEER_WARM_UP = 2;
  private static final String OURS = "Gatehouse";
  private static final String NGINX = "nginx";
  private static final String HAPROXY = "HAProxy";

  @Option(names = "--work", paramLabel = "WORK", split = ",",
      description = "Run only these comparisons with nginx; default: all. An unknown name prints the list.")
  List<String> works = List.of();

  @Option(names = "--scenario", paramLabel = "SCENARIO", split = ",",
      description = "Run only these rows of FIGURES S2; default: all. An unknown name prints the list.")
  List<String> scenarios = List.of();

  @Option(names = "--without-scenarios", description = "Skip the rows of FIGURES S2.")
  boolean withoutScenarios;

  @Option(
      names = "--without-gatling",
      description = "Run the logins of FIGURES S2 over raw connections, as --against does, because Gatling's own cost disturbs.")
  boolean withoutGatling;

  @Option(names = "--connections", paramLabel = "N", defaultValue = "64", description = "Connections of wrk (${DEFAULT-VALUE}).")
  int connections;

  @Option(names = "--callers", paramLabel = "N", defaultValue = "32",
      description = "Concurrent browsers and programs in the rows of FIGURES S2 (${DEFAULT-VALUE}).")
  int callers;

  @Option(names = "--people", paramLabel = "N", defaultValue = "1000000",
      description = "People in the directory (${DEFAULT-VALUE}; at most 4000000).")
  int people;

  @Option(names = "--active", paramLabel = "N", defaultValue = "20000",
      description = "How many of them use the extranet; their sessions exist after the warm-up (${DEFAULT-VALUE}).")
  int active;

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "20",
      description = "Warm-up of each comparison and each row (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(names = "--open", paramLabel = "N", defaultValue = "10000",
      description = "Connections to hold open for measuring their memory; 0: none (${DEFAULT-VALUE}).")
  int open;

  @Option(names = "--without-haproxy", description = "Compare with nginx alone; so it is, too, where HAProxy is not installed.")
  boolean withoutHaproxy;

  @Option(
      names = "--traced",
      paramLabel = "PERCENT",
      description = {
        "Compare this build while it sends traces of that share of requests to a collector with itself without tracing;",
        "writes gateway-traced.md."
      })
  Optional<Integer> traced = Optional.empty();

  @Option(
      names = "--assured",
      paramLabel = "observe|enforce",
      description = {
        "Compare this build with that assurance of sessions, at identity provider and gateway, with itself without: pages and",
        "logins by https, by browsers that register a key where they are invited. Writes gateway-assured-observe.md or -enforce.md."
      })
  Optional<String> assured = Optional.empty();

  private final List<OpenConnections> memory = new ArrayList<>();

  public GatewayCommand() {
    super(new Options(3, 6));
  }

  @Override
  protected Optional<Build> other(Run run) throws IOException, InterruptedException {
    Optional<String> without = traced.map(share -> "without traces").or(() -> assured.map(how -> "assurance off"));
    return without.isPresent() ? Optional.of(new Build(without.get(), Build.here().home())) : super.other(run);
  }

  @Override
  protected String comparisonName() {
    return traced.map(share -> "gateway-traced").or(() -> assured.map(how -> "gateway-assured-" + how)).orElseGet(super::comparisonName);
  }

  @Override
  protected List<String> programs() {
    return List.of("slapd", "nginx", "wrk", "openssl");
  }

  private List<Work> chosenWorks() {
    return chosen(works, Work.values(), Work::word);
  }

  private List<Scenario> chosenScenarios() {
    return withoutScenarios ? List.of() : chosen(scenarios, Scenario.values(), Scenario::word);
  }

  private int activePeople() {
    return Math.min(active, people);
  }

  /** The servers that all builds and nginx share. */
  private record Shared(Path www, ServerProcess app, ServerProcess slapd, Certificates rsa, Certificates p256) {

    Server server(String name, ServerProcess process) {
      return new Server(name, name.equals(NGINX) || name.equals(HAPROXY) ? List.of(process, app) : List.of(process, slapd, app));
    }
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    List<Work> chosenWorks = chosenWorks();
    List<Scenario> chosenScenarios = chosenScenarios();
    Path work = run.work();
    Path www = work.resolve("www");
    Pages.write(www);
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(work, people));
    Shared shared =
        new Shared(
            www, run.closeAtEnd(Pages.serve(work, www)), slapd, Certificates.rsa(work), Certificates.p256(work));
    List<Load> rows = new ArrayList<>();
    for (Build build : builds()) {
      Gateway gateway =
          run.closeAtEnd(
              Gateway.start(
                  build, folder(run, build), new Gateway.Setting(tracing(run, build), assurance(build), Optional.empty()),
                  shared.app().port(), slapd.port(), shared.rsa(), shared.p256()));
      Server server = shared.server(build.name(), gateway.node().process());
      if (!isComparison()) {
        rows.addAll(besideNginx(run, shared, gateway, server, chosenWorks));
        run.measure(rows, options.rounds, options.seconds);
        for (Scenario each : chosenScenarios) {
          if (each == Scenario.SECURE_FORM) {
            playSecurely(run, each, build, shared);
          } else {
            play(run, each, gateway, server);
          }
        }
        return;
      }
      if (assured.isPresent()) {
        for (AssuredWork each : AssuredWork.of(assured.get())) {
          rows.addAll(run.warmUp(each.word(), () -> each.at(gateway, server, connections, people), warmUp));
        }
        continue;
      }
      for (Work each : chosenWorks) {
        rows.addAll(
            run.warmUp(each.title(), () -> each.at(gateway, server, connections, people, activePeople()), warmUp));
      }
      for (Scenario each : chosenScenarios) {
        rows.addAll(run.warmUp(each.title(), () -> each.connections(gateway.site(), server, callers, people), warmUp));
      }
    }
    run.measure(rows, options.rounds, options.seconds);
  }

  private Optional<String> assurance(Build build) throws IOException {
    return build.equals(Build.here()) ? assured : assured.map(how -> "off");
  }

  /** The tracing of a build in {@code gatehouse.yaml}; empty without {@code --traced}. */
  private String tracing(Run run, Build build) throws IOException {
    if (traced.isEmpty() || !build.equals(Build.here())) {
      return "";
    }
    return run.closeAtEnd(TraceCollector.start()).configuration(traced.get());
  }

  /** The other rows do not need as many files as this one. */
  private void holdOpen(Run run, Server server, int port, String target) throws InterruptedException {
    try {
      memory.add(OpenConnections.measure(server, port, target, open));
    } catch (IOException e) {
      run.fail("memory with " + open + " connections open", e);
    }
  }

  private List<Load> besideNginx(Run run, Shared shared, Gateway gateway, Server ours, List<Work> chosenWorks)
      throws IOException, InterruptedException {
    NginxPeer peer =
        run.closeAtEnd(NginxPeer.start(run.work(), shared.www(), shared.app().port(), shared.rsa(), shared.p256()));
    Server nginx = shared.server(NGINX, peer.process());
    Optional<HaproxyPeer> proxy = haproxy(run, shared);
    if (open > 0) {
      holdOpen(run, ours, gateway.http(), "/public/small.html");
      holdOpen(run, nginx, peer.http(), "/small.html");
    }
    List<Load> rows = new ArrayList<>();
    for (Work each : chosenWorks) {
      rows.addAll(run.warmUp(each.title(), () -> each.at(gateway, ours, connections, people, activePeople()), warmUp));
      if (!each.peer().isEmpty()) {
        rows.addAll(run.warmUp(each.title(), () -> each.at(peer, nginx, connections), PEER_WARM_UP));
      }
      if (proxy.isPresent() && each.isOfProxies()) {
        Server haproxy = shared.server(HAPROXY, proxy.get().process());
        rows.addAll(run.warmUp(each.title(), () -> each.at(proxy.get(), haproxy, connections), PEER_WARM_UP));
      }
    }
    return rows;
  }

  /** At a node whose identity provider is reached by https as well. */
  private void playSecurely(Run run, Scenario scenario, Build build, Shared shared) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(folder(run, build).resolve("secure"));
    try (Gateway secure =
        Gateway.start(
            build, folder, new Gateway.Setting("", Optional.of("off"), Optional.empty()), shared.app().port(), shared.slapd().port(),
            shared.rsa(), shared.p256())) {
      play(run, scenario, secure, shared.server(build.name(), secure.node().process()));
    }
  }

  private Optional<HaproxyPeer> haproxy(Run run, Shared shared) throws IOException, InterruptedException {
    return withoutHaproxy || !Files.isExecutable(HaproxyPeer.PROGRAM)
        ? Optional.empty()
        : Optional.of(run.closeAtEnd(HaproxyPeer.start(run.work(), shared.app().port(), shared.rsa(), shared.p256())));
  }

  /** Warms a scenario up over raw connections, then runs its rounds. */
  private void play(Run run, Scenario scenario, Gateway gateway, Server server) throws InterruptedException {
    for (Load load : run.warmUp(scenario.title(), () -> scenario.connections(gateway.site(), server, callers, people), warmUp)) {
      boolean byGatling = scenario.isLogin() && !withoutGatling;
      try {
        Load measured = byGatling ? scenario.simulation(gateway.site(), server, callers, people, run.work()) : load;
        for (int round = 0; round < options.rounds; round++) {
          run.run(measured, Phase.MEASUREMENT, options.seconds);
        }
      } catch (IOException e) {
        run.fail(scenario.title(), e);
      }
    }
  }

  @Override
  protected List<?> details() {
    return memory;
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Connections", Integer.toString(connections));
    settings.put("Callers", Integer.toString(callers));
    settings.put("People in slapd", format("%,d, %,d of them active", people, activePeople()));
    settings.put("Warm-up of each row", warmUp + " s");
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Markdown comparison = Markdown.table("work | Gatehouse | beside it | nginx | ratio | wanted | aim");
    Map<String, Figures> rows = new LinkedHashMap<>();
    for (Work work : Work.values()) {
      Figures ours = Figures.of(iterations, OURS, work.word());
      Figures peer = Figures.of(iterations, NGINX, work.word());
      rows.put(OURS + ", " + work.title(), ours);
      rows.put(NGINX + ", " + work.title(), peer);
      rows.put(HAPROXY + ", " + work.title(), Figures.of(iterations, HAPROXY, work.word()));
      if (!ours.isEmpty() && !peer.isEmpty()) {
        comparison.row(
            "%s | %,.0f | %s | %,.0f | **%.2f** | %s", work.title(), ours.perCpuSecond(), work.peer(), peer.perCpuSecond(),
            ours.perCpuSecond() / peer.perCpuSecond(), work.wanted());
      } else if (!ours.isEmpty()) {
        comparison.row("%s | %,.0f | %s | | | | ", work.title(), ours.perCpuSecond(), work.peer());
      }
    }
    return "Requests (or operations) per CPU second of the server's process, both with an access log, in turns. Ours checks, decides"
        + " and injects\nin the same process. The load is wrk with one thread, and for AuthMark raw connections: for each of these"
        + " requests Gatling would\ntake more CPU time than the server.\n" + comparison + Figures.table("server, work", rows)
        + scenarios(iterations) + memory();
  }

  /** The scenarios with the published figures, which are of machines with 16 to 64 CPUs; here one CPU second counts. */
  private String scenarios(List<Iteration> iterations) {
    Markdown table =
        Markdown.table(
            "scenario | load | per second | p50 ms | p99 ms | p99 in means | CPU ms each: gateway and idp, slapd, app | published");
    for (Scenario scenario : Scenario.values()) {
      for (Iteration seen : Figures.of(iterations, OURS, scenario.word()).rounds()) {
        String costs =
            seen.costs().stream()
                .map(cost -> format("%.3f", 1000 * cost.cpuSeconds() / seen.operations()))
                .collect(Collectors.joining(", "));
        Iteration.Step step = seen.steps().getLast();
        table.row(
            "%s | %s | %,.0f | %.2f | %.2f | %.1f | %s | %s", scenario.title(),
            scenario.isLogin() && !withoutGatling ? "Gatling" : "connections", seen.perSecond(), step.p50Ms(), step.p99Ms(), step.tail(),
            costs, scenario.published());
      }
    }
    return table.isEmpty()
        ? ""
        : "\n## Identity server and access gateway (FIGURES S2)\n\nAll on this one machine, the load included: people at random,"
            + " each login asks slapd. Gatling takes CPU time of the\nsame machine, so compare CPU ms. Published: the best of"
            + " four clusters of 4 gateways and 4 identity servers.\n" + table;
  }

  private String memory() {
    Markdown table = Markdown.table(" | idle MB | with open connections MB | connections");
    memory.forEach(
        each -> table.row("%s | %,d | %,d | %,d", each.server(), each.idleMb(), each.openMb(), each.connections()));
    return table.isEmpty() ? "" : "\n## Resident memory\n" + table;
  }
}
