package dev.gatehouse.perf.sessions;

import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench sessions}. */
@Command(
    name = "sessions",
    mixinStandardHelpOptions = true,
    description = {
      "Measure the memory of a session at the identity provider and of one at the gateway: distinct people, ten attributes",
      "whose values have 200 bytes in total, at the identity provider two partners with a transient NameID each; with embedded",
      "storage, each in a separate process with compact object headers. Resident bytes are the heap that is used after full",
      "collections and the anonymous memory outside of it, with the sessions minus without them: they include the indexes,",
      "the expiry, all caches and everything else in the store."
    })
public final class SessionsCommand implements Callable<Integer> {

  private static final double WANTED = 500;
  private static final int NEAR_ENTRIES = 50_000;

  /** A sixth of it has room for as many as a node keeps at most. */
  private static final String NEAR_HEAP = "6g";

  @Option(names = "--sessions", paramLabel = "N", defaultValue = "1000000", description = "Number of live sessions (${DEFAULT-VALUE}).")
  int sessions;

  @Option(names = "--near",
      description = {
        "Only measure the sessions of shared storage that a node keeps near: heap of each, CPU to find one near and to read one from",
        "Valkey, and both with more sessions than are kept. Writes near.json for bench plan."
      })
  boolean near;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (near) {
      return measureNear();
    }
    Instant start = Instant.now();
    List<SessionsRun.Measurement> seen = new ArrayList<>();
    for (String kind : List.of("idp", "gateway")) {
      seen.add(fork(kind));
      System.err.printf(Locale.ROOT, "%s: %.0f resident bytes a session%n", kind, seen.getLast().residentEach());
    }
    Report report =
        new Report(
            "sessions", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(), Map.of(), List.of(), seen,
            List.of());
    System.out.println(report.write(output.results, conclusions(seen)));
    return seen.stream().allMatch(each -> each.residentEach() <= WANTED) ? 0 : 1;
  }

  private int measureNear() throws IOException, InterruptedException {
    Instant start = Instant.now();
    List<NearRun.Measurement> seen = new ArrayList<>();
    for (String kind : List.of("idp", "gateway")) {
      Path out = Files.createTempDirectory("gatehouse-near-").resolve("seen.json");
      List<String> arguments =
          List.of(kind, Integer.toString(NEAR_ENTRIES), Integer.toString(ValkeyStores.MOST_NEAR * 3 / 2), out.toString());
      run(Commands.java(List.of("-XX:+UseCompactObjectHeaders", "-Xms" + NEAR_HEAP, "-Xmx" + NEAR_HEAP), NearRun.class, arguments), kind);
      seen.add(Report.JSON.readValue(Files.readString(out), NearRun.Measurement.class));
      System.err.println(seen.getLast());
    }
    Report report =
        new Report(
            "near", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(), Map.of(), List.of(), seen, List.of());
    System.out.println(report.write(output.results, nearConclusions(seen)));
    return 0;
  }

  private static String nearConclusions(List<NearRun.Measurement> seen) {
    Markdown table =
        Markdown.table(
            "at | sessions near | heap bytes each | CPU µs to find one near | CPU µs to read one from Valkey | of Valkey | any of sessions"
                + " | heap for those near | share of finds that ask Valkey");
    for (NearRun.Measurement each : seen) {
      table.row(
          "%s | %,d | %.0f | %.2f | %.1f | %.1f | %,d | %.0f MB | %.3f", each.kind(), each.entries(), each.bytesEach(), each.hitMicros(),
          each.missMicros(), each.valkeyMissMicros(), each.sessions(), each.bytes() / 1e6, each.missShare());
    }
    return """
        Sessions in Valkey, of other people each, with ten attributes (values 200 bytes together); at the identity provider with
        two partners. A node keeps %,d near, of all kinds together. Heap after full collections.
        """
            .formatted(ValkeyStores.MOST_NEAR)
        + table;
  }

  private static void run(List<String> command, String kind) throws IOException, InterruptedException {
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      throw new IOException("the run at the " + kind + " failed");
    }
  }

  private SessionsRun.Measurement fork(String kind) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("gatehouse-sessions-");
    Path out = folder.resolve("seen.json");
    List<String> flags = List.of("-XX:+UseCompactObjectHeaders", "-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch");
    String data = Files.createDirectory(folder.resolve("data")).toString();
    List<String> arguments = List.of(kind, Integer.toString(sessions), data, out.toString());
    run(Commands.java(flags, SessionsRun.class, arguments), kind);
    return Report.JSON.readValue(Files.readString(out), SessionsRun.Measurement.class);
  }

  private static String conclusions(List<SessionsRun.Measurement> seen) {
    Markdown table =
        Markdown.table(
            "at | sessions | resident bytes a session (wanted: 500) | of these heap | disk bytes a session | CPU µs to open | CPU µs to find");
    for (SessionsRun.Measurement each : seen) {
      table.row(
          "%s | %,d | %.0f | %.0f | %.0f | %.1f | %.1f",
          each.kind(), each.sessions(), each.residentEach(), (double) each.heapBytes() / each.sessions(), (double) each.diskBytes() / each.sessions(),
          each.openMicros(), each.findMicros());
    }
    return """
        Live sessions, each of another person, with ten attributes (values 200 bytes together, nobody else's); at the
        identity provider with two partners. Heap after full collections and anonymous memory outside the heap, with the
        sessions minus before.
        """
        + table;
  }
}
