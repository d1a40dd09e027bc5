package dev.gatehouse.perf.service;

import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.sso.SignOnServer;
import dev.gatehouse.perf.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench memory}. */
@Command(
    name = "memory",
    description = {
      "Measure the resident memory of a demo that nobody uses, and where it is; and that of an identity provider sized 512 MB before and",
      "after 1,000,000 people have logged in, with its rate of signed Responses. A round is a start of the demo, and some seconds of",
      "Responses. Needs slapd. Takes 20 minutes."
    })
public final class MemoryCommand extends BenchmarkCommand {

  private static final String OURS = "Gatehouse";
  private static final String BEFORE = "Responses, no sessions";
  private static final String AFTER = "Responses, all sessions";
  private static final int CALLERS = 16;
  private static final int LOGIN_SECONDS = 30;
  private static final double MEGABYTE = 1 << 20;

  @Option(names = "--sessions", paramLabel = "N", defaultValue = "1000000", description = "Sessions of the identity provider (${DEFAULT-VALUE}).")
  int sessions;

  @Option(names = "--people", paramLabel = "N", defaultValue = "100000", description = "People who have them (${DEFAULT-VALUE}).")
  int people;

  @Option(names = "--idle", paramLabel = "SECONDS", defaultValue = "60", description = "How long the demo is left alone (${DEFAULT-VALUE}).")
  int idle;

  @Option(names = "--java-opts", paramLabel = "OPTIONS",
      defaultValue = "-Xms192m -Xmx192m -XX:+UseSerialGC -XX:ReservedCodeCacheSize=96m -XX:MaxDirectMemorySize=48m",
      description = "GATEHOUSE_JAVA_OPTS of the identity provider (${DEFAULT-VALUE}).")
  String javaOptions = "";

  private final List<Held> held = new ArrayList<>();
  private String categories = "";

  public MemoryCommand() {
    super(new Options(3, 15));
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    for (int start = 0; start < options.rounds; start++) {
      held.add(new Held("demo, idle", 0, demo(run, "demo-" + start, ""), 1));
    }
    demo(run, "demo-tracked", "-XX:NativeMemoryTracking=summary");
    if (sessions > 0) {
      million(run);
    }
  }

  /** Starts a demo and lets it be. Tracking takes memory itself, so that a tracked one does not count. */
  private double demo(Run run, String name, String javaOpts) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(run.work().resolve(name));
    int base = ThreadLocalRandom.current().nextInt(20_000, 30_000);
    List<String> command = Build.here().command("demo", "--directory", folder.resolve("home").toString(), "--port-base", Integer.toString(base));
    try (ServerProcess demo = ServerProcess.start("demo", folder, Map.of("GATEHOUSE_JAVA_OPTS", javaOpts), command, base)) {
      demo.await(() -> demo.logContains("Gatehouse is ready"), Duration.ofMinutes(5));
      Thread.sleep(Duration.ofSeconds(idle));
      if (!javaOpts.isEmpty()) {
        categories = demo.nativeMemory();
      }
      return demo.residentBytes() / MEGABYTE;
    }
  }

  private void million(Run run) throws IOException, InterruptedException {
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), people));
    Map<String, String> environment = Map.of("GATEHOUSE_JAVA_OPTS", javaOptions, "MALLOC_ARENA_MAX", "2");
    Path folder = Files.createDirectories(run.work().resolve("sized"));
    SignOnServer idp = SignOnServer.gatehouse(run, Build.here(), folder, "rsa-2048", slapd, "", environment);
    ServerProcess node = idp.server().processes().getFirst();
    responses(run, idp, BEFORE);
    held.add(new Held("no sessions", 0, node.residentBytes() / MEGABYTE, 1));
    try (Load logins = ClosedLoad.open(idp.server(), "logins", CALLERS, idp.logins(people))) {
      for (long done = 0; done < sessions; ) {
        done += run.run(logins, Phase.WARM_UP, LOGIN_SECONDS).operations();
      }
    }
    responses(run, idp, AFTER);
    double before = Figures.of(run.iterations(), OURS, BEFORE).perCpuSecond();
    double after = Figures.of(run.iterations(), OURS, AFTER).perCpuSecond();
    held.add(new Held("sessions", sessions, node.residentBytes() / MEGABYTE, after / before));
  }

  private void responses(Run run, SignOnServer idp, String row) throws IOException, InterruptedException {
    try (Load load = ClosedLoad.open(idp.server(), row, CALLERS, idp.users())) {
      for (int i = 0; i < options.rounds; i++) {
        run.run(load, Phase.WARM_UP, options.seconds);
      }
      run.measure(List.of(load), options.rounds, options.seconds);
    }
  }

  @Override
  protected List<?> details() {
    return held;
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Idle", idle + " s");
    settings.put("Options of the identity provider", javaOptions + ", MALLOC_ARENA_MAX=2");
    settings.put("People", Markdown.format("%,d", people));
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Markdown table = Markdown.table("node | sessions | resident MB | rate in that before | wanted");
    for (Held each : held) {
      boolean isDemo = each.node().startsWith("demo");
      String wanted = isDemo ? Target.IDLE_DEMO.wanted() : each.sessions() > 0 ? Target.MILLION_SESSIONS.wanted() + ", rate 1" : "";
      table.row("%s | %,d | %,.0f | %.2f | %s", each.node(), each.sessions(), each.residentMb(), each.rateInThatBefore(), wanted);
    }
    return "Resident memory of the JVM's process (VmRSS).\n" + table
        + "\n## Where a demo's memory is\n\nAs the JVM tracks it; RocksDB is not in it: it is what VmRSS is more.\n\n```\n" + categories.strip()
        + "\n```\n";
  }
}
