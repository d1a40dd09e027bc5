package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.KeycloakServer;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench sso}. */
@Command(
    name = "sso",
    description = {
      "Measure signed Responses for logged-in users: our identity provider with RSA-2048 and with P-256, and Keycloak, each",
      "warmed up alone from the start of its process until its curve is flat, then in turns with each other and with the",
      "signature alone. Needs slapd and, for Keycloak, PostgreSQL; downloads Keycloak from Maven Central once. Takes 16",
      "minutes."
    })
public final class SsoCommand extends BenchmarkCommand {

  private static final int WARM_UP_SECONDS = 5;
  private static final int COMPARED_SECONDS = 60;
  private static final double FLAT = 0.03;
  private static final int PEOPLE = 10;

  @Option(names = "--browsers", paramLabel = "N", defaultValue = "16", description = "Number of logged-in browsers (${DEFAULT-VALUE}).")
  int browsers;

  @Option(names = "--key", paramLabel = "ALGORITHM", split = ",", defaultValue = "rsa-2048,p-256",
      description = "Keys of our identity provider (${DEFAULT-VALUE}).")
  List<String> keys = List.of();

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "180",
      description = "Maximum warm-up of ours; it ends when the curve is flat (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(names = "--peer-warm-up", paramLabel = "SECONDS", defaultValue = "420",
      description = "Maximum warm-up of Keycloak; 0: do not measure Keycloak (${DEFAULT-VALUE}).")
  int peerWarmUp;

  public SsoCommand() {
    super(new Options(5, 10));
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    boolean withPeer = peerWarmUp > 0 && !isComparison();
    if (withPeer) {
      KeycloakServer.prepare();
    }
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), PEOPLE));
    List<Load> loads = new ArrayList<>();
    for (String key : keys) {
      BareSignature signature = BareSignature.of(key);
      signature.run(Phase.WARM_UP, options.seconds);
      loads.add(signature);
    }
    for (Build build : builds()) {
      for (String key : keys) {
        SignOnServer server = SignOnServer.gatehouse(run, build, folder(run, build), key, slapd);
        loads.add(warmUp(run, server, warmUp));
      }
    }
    if (withPeer) {
      loads.add(warmUp(run, SignOnServer.keycloak(run), peerWarmUp));
    }
    run.measure(loads, options.rounds, options.seconds);
  }

  private Load warmUp(Run run, SignOnServer server, int most) throws IOException, InterruptedException {
    Load load = run.closeAtEnd(server.load(browsers));
    List<Iteration> curve = new ArrayList<>();
    for (int seconds = 0; seconds < most && !isFlat(curve); seconds += WARM_UP_SECONDS) {
      curve.add(run.run(load, Phase.WARM_UP, Math.min(most - seconds, WARM_UP_SECONDS)));
    }
    return load;
  }

  /** Returns whether the last minute cost the same as the one before. */
  private static boolean isFlat(List<Iteration> curve) {
    int compared = COMPARED_SECONDS / WARM_UP_SECONDS;
    if (curve.size() < 2 * compared) {
      return false;
    }
    double before = perCpuSecond(curve.subList(curve.size() - 2 * compared, curve.size() - compared));
    double now = perCpuSecond(curve.subList(curve.size() - compared, curve.size()));
    return now < before * (1 + FLAT);
  }

  private static double perCpuSecond(List<Iteration> curve) {
    return curve.stream().mapToLong(Iteration::operations).sum()
        / curve.stream().mapToDouble(Iteration::ownCpuSeconds).sum();
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Browsers", Integer.toString(browsers));
  }

  @Override
  protected String conclusions(List<Iteration> iterations) throws IOException {
    SsoConclusions conclusions = new SsoConclusions(iterations);
    Files.createDirectories(options.results);
    writePicture(conclusions.picture());
    return conclusions.markdown();
  }
}
