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
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.NodeMetrics;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.sso.SignOnServer;
import dev.gatehouse.perf.targets.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench memory}. */
@Command(
    name = "memory",
    description = {
      "Measure the resident memory of a demo that nobody uses, and where it is; and that of an identity provider on a small node before and",
      "after it got 1,000,000 sessions, with its rate of signed Responses, and where that of such a node under load is. A round is a start",
      "of the demo, and some seconds of Responses. Needs slapd. Takes 25 minutes."
    })
public final class MemoryCommand extends BenchmarkCommand {

  private static final String OURS = "Gatehouse";
  private static final String KEY = "rsa-2048";
  private static final String BEFORE = "Responses, no sessions";
  private static final String AFTER = "Responses, all sessions";
  private static final String FULL = "sessions";
  private static final String TRACKED = "-XX:NativeMemoryTracking=summary";
  private static final int CALLERS = 16;
  private static final int LOGIN_SECONDS = 30;
  private static final double MEGABYTE = 1 << 20;

  /** Longer than the run: no session ends in it. */
  private static final String IDLE = "8h";

  private static final String SESSIONS = "gatehouse_sessions{kind=\"idp\"}";

  private static final List<Part> PARTS =
      List.of(
          new Part("RocksDB: block cache", "gatehouse_store_memory{part=\"block-cache\"}"),
          new Part("RocksDB: memtables", "gatehouse_store_memory{part=\"memtables\"}"),
          new Part("RocksDB: table readers", "gatehouse_store_memory{part=\"table-readers\"}"),
          new Part("direct buffers", "jvm_buffer_memory_used_bytes{id=\"direct\"}"),
          new Part("mapped buffers", "jvm_buffer_memory_used_bytes{id=\"mapped\"}"));

  /**
   * Memory outside of the heap, as the node knows it.
   *
   * @param what the name in the report
   * @param series of its metrics
   */
  private record Part(String what, String series) {}

  @Option(names = "--sessions", paramLabel = "N", defaultValue = "1000000",
      description = "Sessions of the identity provider (${DEFAULT-VALUE}).")
  int sessions;

  @Option(names = "--people", paramLabel = "N", defaultValue = "100000", description = "People who have them (${DEFAULT-VALUE}).")
  int people;

  @Option(names = "--idle", paramLabel = "SECONDS", defaultValue = "60",
      description = "How long the demo is left alone (${DEFAULT-VALUE}).")
  int idle;

  @Option(names = "--java-opts", paramLabel = "OPTIONS",
      defaultValue =
          "-Xms192m -Xmx192m -XX:+UseSerialGC -XX:-UseTransparentHugePages -XX:ReservedCodeCacheSize=96m -XX:MaxDirectMemorySize=48m -XX:+ExitOnOutOfMemoryError",
      description = "GATEHOUSE_JAVA_OPTS of the identity provider (${DEFAULT-VALUE}).")
  String javaOptions = "";

  @Option(names = "--environment", paramLabel = "NAME=VALUE",
      description = "A further variable for the identity provider, for example MALLOC_ARENA_MAX=8; it is 2 otherwise. May be repeated.")
  Map<String, String> environment = new LinkedHashMap<>();

  private final List<Held> held = new ArrayList<>();
  private String ofDemo = "";
  private String ofProvider = "";

  public MemoryCommand() {
    super(new Options(3, 15));
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    for (int start = 0; start < options.rounds; start++) {
      held.add(new Held("demo, idle", 0, demo(run, "demo-" + start, ""), 1, Map.of()));
    }
    demo(run, "demo-tracked", TRACKED);
    if (sessions > 0) {
      ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), people));
      million(run, slapd);
      ofProvider = tracked(run, slapd);
    }
  }

  /** Starts a demo and lets it be. Tracking takes memory itself, so that a tracked one does not count. */
  private double demo(Run run, String name, String javaOpts) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(run.work().resolve(name));
    int base = ThreadLocalRandom.current().nextInt(20_000, 30_000);
    List<String> command =
        Build.here().command("demo", "--directory", folder.resolve("home").toString(), "--port-base", Integer.toString(base));
    try (ServerProcess demo = ServerProcess.start("demo", folder, Map.of("GATEHOUSE_JAVA_OPTS", javaOpts), command, base)) {
      demo.await(() -> demo.logContains("Gatehouse is ready"), Duration.ofMinutes(5));
      Thread.sleep(Duration.ofSeconds(idle));
      if (!javaOpts.isEmpty()) {
        ofDemo = demo.nativeMemory();
      }
      return demo.residentBytes() / MEGABYTE;
    }
  }

  private void million(Run run, ServerProcess slapd) throws IOException, InterruptedException {
    try (OneStart start = new OneStart(Files.createDirectories(run.work().resolve("sized")))) {
      GatehouseNode node = node(start, slapd, javaOptions);
      SignOnServer idp = SignOnServer.of(Build.here(), node, KEY, slapd);
      responses(run, idp, BEFORE, options.rounds);
      held.add(look(node, "no sessions", 1));
      logIn(run, idp, node);
      responses(run, idp, AFTER, options.rounds);
      double before = Figures.of(run.iterations(), OURS, BEFORE).perCpuSecond();
      double after = Figures.of(run.iterations(), OURS, AFTER).perCpuSecond();
      held.add(look(node, FULL, after / before));
    }
  }

  private GatehouseNode node(OneStart start, ServerProcess slapd, String javaOpts) throws IOException, InterruptedException {
    GatehouseNode.Configured configured = SignOnServer.configure(start.work(), KEY, slapd.port(), "", Optional.of("idle: " + IDLE));
    return start.closeAtEnd(configured.start(Build.here(), environment(javaOpts))).await();
  }

  /** The launcher sets two arenas, too, but only where nobody has set another number for the benchmark itself. */
  private Map<String, String> environment(String javaOpts) {
    Map<String, String> all = new LinkedHashMap<>(Map.of("MALLOC_ARENA_MAX", "2"));
    all.putAll(environment);
    all.put("GATEHOUSE_JAVA_OPTS", javaOpts);
    return all;
  }

  /** Logs people in until the node says that it has all sessions. */
  private void logIn(Run run, SignOnServer idp, GatehouseNode node) throws IOException, InterruptedException {
    long most = 2L * sessions;
    try (Load logins = ClosedLoad.open(idp.server(), "logins", CALLERS, idp.logins(people))) {
      for (long done = 0; done < most && sessions(node.metrics()) < sessions; ) {
        done += run.run(logins, Phase.WARM_UP, LOGIN_SECONDS).operations();
      }
    }
    long kept = sessions(node.metrics());
    if (kept < sessions) {
      run.fail(FULL, new IOException("the node has " + kept + " sessions after " + most + " logins"));
    }
  }

  private static long sessions(NodeMetrics metrics) throws IOException {
    return Math.round(metrics.value(SESSIONS));
  }

  private static Held look(GatehouseNode node, String name, double rate) throws IOException {
    // Before the node is asked: its answer takes memory, too.
    double resident = node.process().residentBytes() / MEGABYTE;
    NodeMetrics metrics = node.metrics();
    Map<String, Double> parts = new LinkedHashMap<>();
    for (Part part : PARTS) {
      parts.put(part.what(), metrics.value(part.series()) / MEGABYTE);
    }
    return new Held(name, sessions(metrics), resident, rate, parts);
  }

  private void responses(Run run, SignOnServer idp, String row, int measured) throws IOException, InterruptedException {
    try (Load load = ClosedLoad.open(idp.server(), row, CALLERS, idp.users())) {
      for (int i = 0; i < options.rounds; i++) {
        run.run(load, Phase.WARM_UP, options.seconds);
      }
      run.measure(List.of(load), measured, options.seconds);
    }
  }

  /** The categories of memory of another such node, after some logins and Responses. Tracking takes memory: it has no row. */
  private String tracked(Run run, ServerProcess slapd) throws IOException, InterruptedException {
    try (OneStart start = new OneStart(Files.createDirectories(run.work().resolve("tracked")))) {
      GatehouseNode node = node(start, slapd, javaOptions + " " + TRACKED);
      SignOnServer idp = SignOnServer.of(Build.here(), node, KEY, slapd);
      try (Load logins = ClosedLoad.open(idp.server(), "logins, tracked", CALLERS, idp.logins(people))) {
        run.run(logins, Phase.WARM_UP, LOGIN_SECONDS);
      }
      responses(run, idp, "Responses, tracked", 0);
      return node.process().nativeMemory();
    }
  }

  @Override
  protected List<?> details() {
    return held;
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Idle", idle + " s");
    settings.put(
        "Environment of the identity provider",
        environment(javaOptions).entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).collect(Collectors.joining(", ")));
    settings.put("People", Markdown.format("%,d", people));
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Markdown table = Markdown.table("node | sessions | resident MB | rate in that before | wanted");
    Markdown parts =
        Markdown.table("node | sessions | " + PARTS.stream().map(each -> each.what() + ", MB").collect(Collectors.joining(" | ")));
    for (Held each : held) {
      String wanted =
          each.node().startsWith("demo")
              ? Target.IDLE_DEMO.wanted()
              : each.node().equals(FULL) ? Target.MILLION_SESSIONS.wanted() + ", rate 1" : "";
      table.row("%s | %,d | %,.0f | %.2f | %s", each.node(), each.sessions(), each.residentMb(), each.rateInThatBefore(), wanted);
      if (!each.partsMb().isEmpty()) {
        String values = each.partsMb().values().stream().map(value -> Markdown.format("%,.1f", value)).collect(Collectors.joining(" | "));
        parts.row("%s | %,d | %s", each.node(), each.sessions(), values);
      }
    }
    String load = LOGIN_SECONDS + " s of logins and " + options.rounds * options.seconds + " s of Responses";
    return "Resident memory of the JVM's process (VmRSS). Sessions are as the store counts them.\n" + table
        + "\n## Outside of the heap\n\nWhat these nodes know of; the allocator holds more than RocksDB uses.\n" + parts
        + categories("Where a demo's memory is", "", ofDemo)
        + categories("Where an identity provider's memory is", "Of another node of that size, after " + load + ". ", ofProvider);
  }

  private static String categories(String title, String begin, String tracked) {
    return tracked.isEmpty()
        ? ""
        : "\n## " + title + "\n\n" + begin + "As the JVM tracks it; RocksDB is not in it: it is what VmRSS is more.\n\n```\n"
            + tracked.strip() + "\n```\n";
  }
}
