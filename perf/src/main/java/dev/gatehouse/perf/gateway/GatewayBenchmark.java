package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Warms every work up at the Gatehouse node, then measures it alternating with nginx on the same work. A failing work
 * is reported and left out.
 */
final class GatewayBenchmark implements AutoCloseable {

  private static final int PEER_WARM_UP = 2;
  private static final int WINDOW_SECONDS = 10;
  private static final int CALLERS = 16;

  /**
   * The plan of the benchmark.
   *
   * @param connections that wrk keeps open
   * @param people in the directory
   * @param active how many of them log in: their passwords and sessions are cached after the warm-up
   * @param warmUp seconds of each work
   * @param open connections of the memory measurement; 0 to skip it
   * @param other another build of Gatehouse in place of nginx
   */
  record Plan(
      List<Work> works,
      List<Scenario> scenarios,
      int connections,
      int people,
      int active,
      int warmUp,
      int rounds,
      int seconds,
      int open,
      Optional<Build> other) {}

  /**
   * The results.
   *
   * @param failures works that failed, and why
   */
  record Results(List<WorkWindow> windows, List<Memory.Result> memory, List<String> failures) {}

  private final Plan plan;
  private final Path work;
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<WorkWindow> windows = new ArrayList<>();
  private final List<Memory.Result> memory = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  GatewayBenchmark(Plan plan, Path work) {
    this.plan = plan;
    this.work = work;
  }

  Results run() throws IOException, InterruptedException {
    Path www = work.resolve("www");
    Pages.write(www);
    Certificates rsa = Certificates.rsa(work);
    Certificates p256 = Certificates.p256(work);
    SlapdServer slapd =
        closeAtEnd(
            SlapdServer.start(
                Files.createDirectories(work.resolve("slapd")), FreePorts.take(), plan.people(), GatewayBenchmark::loaded));
    App app = closeAtEnd(App.start(work, www));
    Gateway gateway = closeAtEnd(Gateway.start(Build.here(), work, app.port(), slapd.port(), rsa, p256));
    Measured ours = measured(Build.here(), gateway, slapd, app);
    if (plan.other().isPresent()) {
      Path folder = Files.createDirectories(work.resolve("other"));
      Gateway other = closeAtEnd(Gateway.start(plan.other().get(), folder, app.port(), slapd.port(), rsa, p256));
      compare(gateway, ours, other, measured(plan.other().get(), other, slapd, app));
      return new Results(windows, memory, failures);
    }
    Peer peer = closeAtEnd(Peer.start(work, www, app.port(), rsa, p256));
    Measured nginx = new Measured("nginx", List.of(peer.process(), app.server().process()));
    if (plan.open() > 0) {
      memory.add(Memory.run(ours, gateway.http(), "/public/small.html", plan.open()));
      memory.add(Memory.run(nginx, peer.http(), "/small.html", plan.open()));
    }
    Map<Work, Load> own = new EnumMap<>(Work.class);
    Map<Work, Load> other = new EnumMap<>(Work.class);
    for (Work each : plan.works()) {
      try {
        Load load = closeAtEnd(ours(each, gateway, ours));
        warmUp(load);
        own.put(each, load);
        if (!each.peer().isEmpty()) {
          Load beside = closeAtEnd(beside(each, peer, nginx));
          beside.run(WorkWindow.WARM_UP, PEER_WARM_UP);
          other.put(each, beside);
        }
      } catch (IOException e) {
        fail(each.title(), e);
      }
    }
    takeTurns(own, other);
    for (Scenario scenario : plan.scenarios()) {
      play(scenario, gateway, ours);
    }
    return new Results(windows, memory, failures);
  }

  private static Measured measured(Build build, Gateway gateway, SlapdServer slapd, App app) {
    return new Measured(build.name(), List.of(gateway.process(), slapd.process(), app.server().process()));
  }

  /** Runs every work and scenario at two builds of Gatehouse, alternating; each is first in every second round. */
  private void compare(Gateway gateway, Measured ours, Gateway other, Measured theirs)
      throws IOException, InterruptedException {
    List<List<Load>> pairs = new ArrayList<>();
    for (Work each : plan.works()) {
      pairs.add(List.of(closeAtEnd(ours(each, gateway, ours)), closeAtEnd(ours(each, other, theirs))));
    }
    for (Scenario each : plan.scenarios()) {
      Load left = closeAtEnd(Scenarios.load(each, gateway, ours, plan.people()));
      pairs.add(List.of(left, closeAtEnd(Scenarios.load(each, other, theirs, plan.people()))));
    }
    for (List<Load> pair : pairs) {
      for (Load load : pair) {
        warmUp(load);
      }
    }
    for (int round = 0; round < plan.rounds(); round++) {
      for (List<Load> pair : pairs) {
        for (Load load : round % 2 == 0 ? pair : pair.reversed()) {
          add(load.run(WorkWindow.STEADY, plan.seconds()));
        }
      }
    }
  }

  private static void loaded(int people) {
    if (people % 250_000 == 0) {
      System.err.printf(Locale.ROOT, "%,d people written%n", people);
    }
  }

  private Load ours(Work each, Gateway gateway, Measured server) throws IOException {
    URI url = each.ours(gateway);
    if (each.isByCallers()) {
      Visits.Later later =
          switch (each) {
            case EXTRANET_COOKIE -> Visits.Later.BY_COOKIE;
            case EXTRANET_PASSWORD -> Visits.Later.BY_PASSWORD;
            case AUTHMARK_LOGIN -> Visits.Later.NONE;
            case PUBLIC_PAGE, PROTECTED_PAGE, PASS_THROUGH, PUBLIC_PAGE_TLS, PASS_THROUGH_TLS, HANDSHAKE_RSA, HANDSHAKE_P256 ->
                throw new IllegalStateException(each + " needs no callers");
          };
      int people = each == Work.AUTHMARK_LOGIN ? plan.people() : plan.active();
      List<CallerLoad.Caller> callers = new ArrayList<>();
      for (int number = 0; number < CALLERS; number++) {
        callers.add(new Visits(url, url.getPath(), later, people, Pages.PAGE, number));
      }
      return new CallerLoad(server, each.word(), callers);
    }
    List<String> fields = new ArrayList<>(closing(each));
    if (each == Work.PROTECTED_PAGE || each == Work.PASS_THROUGH || each == Work.PASS_THROUGH_TLS) {
      fields.add(gateway.loggedIn(url));
    }
    return new WrkLoad(server, each.word(), url.toString(), plan.connections(), fields);
  }

  /** nginx on the same work, with the same kind of load. */
  private Load beside(Work each, Peer peer, Measured nginx) throws IOException {
    URI url = each.peer(peer);
    if (!each.isByCallers()) {
      return new WrkLoad(nginx, each.word(), url.toString(), plan.connections(), closing(each));
    }
    List<CallerLoad.Caller> callers = new ArrayList<>();
    for (int number = 0; number < CALLERS; number++) {
      callers.add(new FileVisits(url, Pages.PAGE));
    }
    return new CallerLoad(nginx, each.word(), callers);
  }

  private static List<String> closing(Work each) {
    return each.isHandshake() ? List.of("Connection: close") : List.of();
  }

  /** Warms a scenario up, then runs it once. */
  private void play(Scenario scenario, Gateway gateway, Measured server) throws InterruptedException {
    try (Load load = Scenarios.load(scenario, gateway, server, plan.people())) {
      warmUp(load);
      add(load.run(WorkWindow.STEADY, plan.seconds()));
    } catch (IOException e) {
      fail(scenario.title(), e);
    }
  }

  private void warmUp(Load load) throws IOException, InterruptedException {
    for (int left = plan.warmUp(); left > 0; left -= WINDOW_SECONDS) {
      add(load.run(WorkWindow.WARM_UP, Math.min(left, WINDOW_SECONDS)));
    }
  }

  private void takeTurns(Map<Work, Load> own, Map<Work, Load> other) throws InterruptedException {
    for (int round = 0; round < plan.rounds(); round++) {
      for (Work each : plan.works()) {
        for (Map<Work, Load> side : List.of(own, other)) {
          Load load = side.get(each);
          if (load != null) {
            try {
              add(load.run(WorkWindow.STEADY, plan.seconds()));
            } catch (IOException e) {
              fail(each.title(), e);
              side.remove(each);
            }
          }
        }
      }
    }
  }

  private void add(WorkWindow window) {
    windows.add(window);
    System.err.printf(
        Locale.ROOT,
        "%s, %s, %s: %,.0f/s, %,.0f per CPU second, p50 %.2f ms, p99 %.2f ms%n",
        window.server(),
        window.work(),
        window.phase(),
        window.perSecond(),
        window.perCpuSecond(),
        window.p50Ms(),
        window.p99Ms());
  }

  private void fail(String what, IOException e) {
    String failure = what + ": " + e.getMessage();
    System.err.println("FAILED: " + failure);
    failures.add(failure);
  }

  private <T extends AutoCloseable> T closeAtEnd(T resource) {
    resources.add(resource);
    return resource;
  }

  @Override
  public void close() {
    for (AutoCloseable resource : resources.reversed()) {
      try {
        resource.close();
      } catch (Exception e) {
        System.err.println("could not be stopped: " + e.getMessage());
      }
    }
  }
}
