package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Charts;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.GatehouseNode;
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

/** {@code bench oauth}. */
@Command(
    name = "oauth",
    description = {
      "Measure every flow of OAuth 2.0 and OpenID Connect at our identity provider and at Keycloak, each warmed up alone,",
      "then in turns with each other, with the signature alone and with the directory alone; the rows of FIGURES S3 by",
      "Gatling; and the memory of refresh tokens. Needs slapd and, for Keycloak, PostgreSQL; downloads Keycloak from Maven",
      "Central once. Takes 30 minutes, 8 with --short."
    })
public final class OAuthCommand extends BenchmarkCommand {

  private static final int SIMULATED_PEOPLE = 500;

  @Option(names = "--flow", paramLabel = "FLOW", split = ",",
      description = "Run only these flows; default: all. An unknown name prints the list.")
  List<String> flows = List.of();

  @Option(names = "--callers", paramLabel = "N", defaultValue = "16", description = "Concurrent callers (${DEFAULT-VALUE}).")
  int callers;

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "20",
      description = "Warm-up of each flow of ours (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(names = "--peer-warm-up", paramLabel = "SECONDS", defaultValue = "40",
      description = "Warm-up of each flow of Keycloak (${DEFAULT-VALUE}).")
  int peerWarmUp;

  @Option(names = "--multiplexed",
      description = "Let wrk send the requests, one thread for all callers, which is not woken for each response; for flows whose requests "
          + "are prepared (client credentials, introspection, tokeninfo, UserInfo, password).")
  boolean multiplexed;

  @Option(names = "--without-keycloak", description = "Measure only our identity provider.")
  boolean withoutKeycloak;

  @Option(names = "--without-gatling", description = "Skip the rows of FIGURES S3 by Gatling.")
  boolean withoutGatling;

  @Option(names = "--tokens", paramLabel = "N", defaultValue = "100000",
      description = "Refresh tokens to issue for measuring their memory; 0: none (${DEFAULT-VALUE}).")
  int tokens;

  @Option(names = "--short", description = "One turn of 4 s after a warm-up of 6 s (Keycloak: 12 s); 20,000 tokens.")
  boolean isShort;

  private final List<RefreshMemory> memory = new ArrayList<>();

  public OAuthCommand() {
    super(new Options(3, 8));
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    List<Flow> chosen = chosen(flows, Flow.values(), Flow::word);
    if (isShort) {
      warmUp = 6;
      peerWarmUp = 12;
      options.rounds = 1;
      options.seconds = 4;
      tokens = Math.min(tokens, 20_000);
    }
    boolean withPeer = peerWarmUp > 0 && !withoutKeycloak && !isComparison();
    if (withPeer) {
      KeycloakServer.prepare();
    }
    int people = Math.max(SIMULATED_PEOPLE, Math.max(callers, RefreshMemory.CALLERS) * People.PER_USER);
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), people));
    List<Load> rows = new ArrayList<>(bare(run, slapd));
    List<OAuthServer> ours = new ArrayList<>();
    for (Build build : builds()) {
      GatehouseNode node = run.closeAtEnd(OAuthServer.configure(folder(run, build), slapd).start(build)).await();
      OAuthServer server = OAuthServer.of(build, node, slapd);
      ours.add(server);
      rows.addAll(warmUp(run, server, chosen, warmUp));
    }
    if (withPeer) {
      OAuthServer peer = OAuthServer.of(run.closeAtEnd(OAuthServer.keycloak(run.work(), slapd)), slapd);
      rows.addAll(warmUp(run, peer, chosen.stream().filter(Flow::isAtPeer).toList(), peerWarmUp));
    }
    run.measure(rows, options.rounds, options.seconds);
    if (!isComparison()) {
      simulate(run, ours.getFirst(), chosen);
      measureMemory(run, slapd);
    }
  }

  private static List<Load> bare(Run run, ServerProcess slapd) throws IOException {
    List<Load> rows = new ArrayList<>();
    for (String key : List.of("rsa-2048", "p-256")) {
      BareSignature signature = BareSignature.of(key);
      signature.run(Phase.WARM_UP, 2);
      rows.add(signature);
    }
    rows.add(run.closeAtEnd(BareDirectory.load(slapd)));
    return rows;
  }

  private List<Load> warmUp(Run run, OAuthServer server, List<Flow> chosen, int seconds) throws InterruptedException {
    List<Load> rows = new ArrayList<>();
    for (Flow flow : chosen) {
      String name = server.server().name() + ", " + flow.title();
      rows.addAll(run.warmUp(name, () -> multiplexed ? flow.multiplexed(server, callers) : flow.connections(server, callers), seconds));
    }
    return rows;
  }

  private void simulate(Run run, OAuthServer server, List<Flow> chosen) throws InterruptedException {
    List<Load> simulations =
        chosen.stream()
            .filter(flow -> flow.isOfS3() && !withoutGatling)
            .map(flow -> flow.simulation(server, callers, SIMULATED_PEOPLE, run.work()))
            .toList();
    run.measure(simulations, 1, options.seconds);
  }

  /** Measures memory at a separate node, so that nothing else changes meanwhile. */
  private void measureMemory(Run run, ServerProcess slapd) throws InterruptedException {
    if (tokens == 0) {
      return;
    }
    try {
      GatehouseNode.Configured configured =
          OAuthServer.configure(Files.createDirectories(run.work().resolve("memory")), slapd);
      try (GatehouseNode fresh = configured.start(Build.here())) {
        OAuthServer server = OAuthServer.of(Build.here(), fresh.await(), slapd);
        memory.add(RefreshMemory.measure(server, configured.data(), tokens));
      }
    } catch (IOException e) {
      run.fail("memory of refresh tokens", e);
    }
  }

  @Override
  protected List<?> details() {
    return memory;
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Callers", callers + (multiplexed ? ", by one thread of wrk" : ""));
    settings.put("Warm-up of each flow", warmUp + " s, Keycloak's " + peerWarmUp + " s");
  }

  @Override
  protected String conclusions(List<Iteration> iterations) throws IOException {
    OAuthConclusions conclusions = new OAuthConclusions(iterations, memory);
    Map<String, Map<String, Double>> ratios = conclusions.ratios();
    if (ratios.isEmpty()) {
      return conclusions.markdown();
    }
    writePicture(Charts.bars("CPU time of Keycloak's process for one flow, in ours", ratios));
    return conclusions.markdown() + "\n![CPU time of Keycloak in ours](oauth.svg)\n";
  }
}
