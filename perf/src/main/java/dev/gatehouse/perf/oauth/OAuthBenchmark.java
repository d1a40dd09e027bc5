package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.load.BareSignature;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.KeycloakServer;
import dev.gatehouse.perf.server.PostgresServer;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Warms each server up while it is alone on the machine, flow by flow; then measures every flow alternately at
 * Gatehouse and Keycloak, with the bare signatures and the bare directory in each round. A failing flow is reported and
 * left out.
 */
final class OAuthBenchmark implements AutoCloseable {

  private static final int BARE_SECONDS = 2;
  private static final int WINDOW_SECONDS = 10;

  /**
   * The plan of the benchmark.
   *
   * @param warmUp seconds of each flow at Gatehouse
   * @param peerWarmUp seconds of each flow at Keycloak; 0 to leave Keycloak out
   * @param tokens refresh tokens to issue for the memory measurement; 0 to skip it
   * @param other another build of Gatehouse to compare with
   */
  record Plan(
      List<Flow> flows,
      int callers,
      int warmUp,
      int peerWarmUp,
      int rounds,
      int seconds,
      int tokens,
      Optional<Build> other) {}

  /**
   * The results.
   *
   * @param failures flows that failed, and why
   */
  record Results(
      List<FlowWindow> windows,
      List<BareSignature.Result> signatures,
      List<BareDirectory.Result> directory,
      Optional<RefreshMemory.Result> memory,
      List<String> failures) {}

  private final Plan plan;
  private final Path work;
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<FlowWindow> windows = new ArrayList<>();
  private final List<BareSignature.Result> signatures = new ArrayList<>();
  private final List<BareDirectory.Result> directory = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  OAuthBenchmark(Plan plan, Path work) {
    this.plan = plan;
    this.work = work;
  }

  Results run() throws IOException, InterruptedException, GeneralSecurityException {
    boolean withPeer = plan.peerWarmUp() > 0;
    if (withPeer) {
      KeycloakServer.prepare();
    }
    int people = Math.max(plan.callers(), RefreshMemory.CALLERS) * Visitors.EACH;
    SlapdServer slapd =
        closeAtEnd(SlapdServer.start(Files.createDirectories(work.resolve("slapd")), FreePorts.take(), people, n -> {}));
    GatehouseServer ours = closeAtEnd(GatehouseServer.start(Build.here(), work, slapd));
    List<FlowLoad> loads = new ArrayList<>(warmUp(ours, plan.flows(), plan.warmUp()));
    if (plan.other().isPresent()) {
      Path folder = Files.createDirectories(work.resolve("other"));
      loads.addAll(warmUp(closeAtEnd(GatehouseServer.start(plan.other().get(), folder, slapd)), plan.flows(), plan.warmUp()));
    }
    if (withPeer) {
      PostgresServer database = closeAtEnd(PostgresServer.start(work));
      AuthorizationServer peer = closeAtEnd(KeycloakPeer.start(work, database, slapd));
      loads.addAll(warmUp(peer, plan.flows().stream().filter(Flow::isAtPeer).toList(), plan.peerWarmUp()));
    }
    takeTurns(loads, slapd);
    return new Results(windows, signatures, directory, memory(slapd), failures);
  }

  private List<FlowLoad> warmUp(AuthorizationServer server, List<Flow> flows, int seconds)
      throws IOException, InterruptedException {
    server.await();
    List<FlowLoad> loads = new ArrayList<>();
    for (Flow flow : flows) {
      try {
        FlowLoad load = closeAtEnd(FlowLoad.open(flow, server, plan.callers()));
        for (int left = seconds; left > 0; left -= WINDOW_SECONDS) {
          add(load.run(FlowWindow.WARM_UP, Math.min(left, WINDOW_SECONDS)));
        }
        loads.add(load);
      } catch (IOException e) {
        fail(server, flow, e);
      }
    }
    return loads;
  }

  private void takeTurns(List<FlowLoad> loads, SlapdServer slapd)
      throws IOException, InterruptedException, GeneralSecurityException {
    List<BareSignature> bare = List.of(BareSignature.of("rsa-2048"), BareSignature.of("p-256"));
    for (BareSignature signature : bare) {
      signature.run(BARE_SECONDS);
    }
    List<FlowLoad> running = new ArrayList<>(loads);
    for (int round = 0; round < plan.rounds(); round++) {
      for (BareSignature signature : bare) {
        BareSignature.Result seen = signature.run(BARE_SECONDS);
        System.err.printf(Locale.ROOT, "%s: %.0f per CPU second%n", seen.name(), seen.perCpuSecond());
        signatures.add(seen);
      }
      directory.add(BareDirectory.run(slapd, BARE_SECONDS));
      for (Flow flow : plan.flows()) {
        List<FlowLoad> turns = loads.stream().filter(each -> each.flow() == flow && running.contains(each)).toList();
        // The order alternates, because the second one may find a slower or a faster machine.
        for (FlowLoad load : round % 2 == 0 ? turns : turns.reversed()) {
          try {
            add(load.run(FlowWindow.STEADY, plan.seconds()));
          } catch (IOException e) {
            fail(load.server(), flow, e);
            running.remove(load);
          }
        }
      }
    }
  }

  /** Measures memory at a separate server, so that nothing else changes meanwhile. */
  private Optional<RefreshMemory.Result> memory(SlapdServer slapd) throws InterruptedException {
    if (plan.tokens() == 0) {
      return Optional.empty();
    }
    try (GatehouseServer fresh = GatehouseServer.start(Build.here(), work.resolve("memory"), slapd)) {
      fresh.await();
      return Optional.of(RefreshMemory.run(fresh, plan.tokens()));
    } catch (IOException e) {
      failures.add("memory of refresh tokens: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void add(FlowWindow window) {
    windows.add(window);
    System.err.printf(
        Locale.ROOT,
        "%s, %s, %s: %.0f/s, %.0f per CPU second, p50 %.2f ms, p99 %.2f ms%n",
        window.server(),
        window.flow(),
        window.phase(),
        window.perSecond(),
        window.done() / window.ownCpuSeconds(),
        window.p50Ms(),
        window.p99Ms());
  }

  private void fail(AuthorizationServer server, Flow flow, IOException e) {
    String failure = server.name() + ", " + flow.title() + ": " + e.getMessage();
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
