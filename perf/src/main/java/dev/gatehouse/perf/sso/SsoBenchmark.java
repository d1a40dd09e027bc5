package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.load.BareSignature;
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

/**
 * Warms each server up while it is alone on the machine, from the start of its process until its curve is flat; then
 * all of them, and the bare signatures, alternate.
 */
final class SsoBenchmark implements AutoCloseable {

  private static final int WINDOW_SECONDS = 5;
  private static final int COMPARED_SECONDS = 60;
  private static final double FLAT = 0.03;
  private static final int BARE_SECONDS = 3;
  private static final int PEOPLE = 10;

  /**
   * The plan of the benchmark.
   *
   * @param keys of Gatehouse, for example rsa-2048 and p-256
   * @param mostWarmUp the longest warm-up of Gatehouse in seconds
   * @param mostPeerWarmUp the longest warm-up of Keycloak in seconds; 0 to leave Keycloak out
   */
  record Plan(int browsers, List<String> keys, int mostWarmUp, int mostPeerWarmUp, int rounds, int seconds) {}

  private final Plan plan;
  private final Path work;
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<SsoWindow> windows = new ArrayList<>();
  private final long started = System.nanoTime();

  SsoBenchmark(Plan plan, Path work) {
    this.plan = plan;
    this.work = work;
  }

  List<SsoWindow> run() throws IOException, InterruptedException, GeneralSecurityException {
    boolean withPeer = plan.mostPeerWarmUp() > 0;
    if (withPeer) {
      KeycloakServer.prepare();
    }
    List<SsoLoad> loads = new ArrayList<>();
    Path directory = Files.createDirectories(work.resolve("slapd"));
    SlapdServer slapd = closeAtEnd(SlapdServer.start(directory, FreePorts.take(), PEOPLE, n -> {}));
    for (String key : plan.keys()) {
      loads.add(warmUp(GatehouseIdp.start(work, key, slapd), plan.mostWarmUp()));
    }
    if (withPeer) {
      PostgresServer database = closeAtEnd(PostgresServer.start(work));
      loads.add(warmUp(Keycloak.start(work, database), plan.mostPeerWarmUp()));
    }
    takeTurns(loads);
    return List.copyOf(windows);
  }

  private SsoLoad warmUp(SignOnServer server, int most) throws IOException, InterruptedException {
    closeAtEnd(server);
    server.await();
    SsoLoad load = closeAtEnd(SsoLoad.begin(server, plan.browsers()));
    List<SsoWindow> curve = new ArrayList<>();
    int seconds = 0;
    while (seconds < most && !isFlat(curve)) {
      int chunk = Math.min(30, most - seconds);
      List<SsoWindow> seen = load.run(SsoReport.WARM_UP, Math.max(1, chunk / WINDOW_SECONDS), WINDOW_SECONDS);
      seen.forEach(SsoBenchmark::print);
      curve.addAll(seen);
      seconds += chunk;
    }
    windows.addAll(curve);
    return load;
  }

  /** Whether the last minute cost the same as the one before. */
  private static boolean isFlat(List<SsoWindow> curve) {
    int compared = COMPARED_SECONDS / WINDOW_SECONDS;
    if (curve.size() < 2 * compared) {
      return false;
    }
    double before = perCpuSecond(curve.subList(curve.size() - 2 * compared, curve.size() - compared));
    double now = perCpuSecond(curve.subList(curve.size() - compared, curve.size()));
    return now < before * (1 + FLAT);
  }

  private static double perCpuSecond(List<SsoWindow> windows) {
    return windows.stream().mapToLong(SsoWindow::responses).sum()
        / windows.stream().mapToDouble(SsoWindow::ownCpuSeconds).sum();
  }

  private void takeTurns(List<SsoLoad> loads) throws IOException, InterruptedException, GeneralSecurityException {
    List<BareSignature> bare = new ArrayList<>();
    for (String key : plan.keys()) {
      BareSignature signature = BareSignature.of(key);
      signature.run(BARE_SECONDS);
      bare.add(signature);
    }
    for (int round = 0; round < plan.rounds(); round++) {
      for (BareSignature signature : bare) {
        add(bare(signature.run(BARE_SECONDS)));
      }
      for (SsoLoad load : loads) {
        add(load.run(SsoReport.STEADY, 1, plan.seconds()).getFirst());
      }
    }
  }

  private SsoWindow bare(BareSignature.Result seen) {
    List<SsoWindow.Cost> costs = List.of(new SsoWindow.Cost("signer", seen.cpuSeconds()));
    double at = (System.nanoTime() - started) / 1e9;
    return new SsoWindow(seen.name(), SsoReport.STEADY, at, seen.seconds(), seen.made(), costs);
  }

  private void add(SsoWindow window) {
    windows.add(window);
    print(window);
  }

  private static void print(SsoWindow window) {
    System.err.printf(
        Locale.ROOT,
        "%s, %s, %.0f s since start: %.0f/s, %.0f per CPU second%n",
        window.server(),
        window.phase(),
        window.at(),
        window.perSecond(),
        window.responses() / window.ownCpuSeconds());
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
