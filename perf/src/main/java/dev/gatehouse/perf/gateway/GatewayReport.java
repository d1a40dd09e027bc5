package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The results of {@code bench gateway}: all windows as JSON, conclusions as Markdown. */
record GatewayReport(
    String command,
    String commit,
    Instant measuredAt,
    Machine machine,
    Map<String, String> settings,
    GatewayBenchmark.Results seen) {

  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** Writes {@code gateway.json} and {@code gateway.md}; returns the Markdown. */
  String write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("gateway.json"), JSON.writeValueAsString(this) + "\n");
    String markdown = markdown();
    Files.writeString(folder.resolve("gateway.md"), markdown);
    return markdown;
  }

  private String markdown() {
    StringBuilder md = new StringBuilder("# gateway\n\n");
    md.append("`").append(command).append("`, commit ").append(commit).append(", ").append(measuredAt).append(".\n");
    md.append(machine.cores()).append(" cores of ").append(machine.processor()).append(", ").append(machine.memoryMb());
    md.append(" MB, Linux ").append(machine.kernel()).append(", JDK ").append(machine.java()).append(".\n");
    settings.forEach((key, value) -> md.append(key).append(": ").append(value).append(". "));
    md.append("\n\nRequests (or operations) per CPU second of the server's process, both with an access log, in turns, ");
    md.append("loaded by wrk with one thread;\nAuthMark by callers of ours. Ours checks, decides and injects in the ");
    md.append("same process.\n\n");
    md.append("| work | Gatehouse | beside it | nginx | ratio | wanted | aim |\n|---|---|---|---|---|---|---|\n");
    for (Work work : Work.values()) {
      appendComparison(md, work);
    }
    md.append("\n| server, work | per CPU second | from .. to by turn | CPU µs each | per second | p50 ms | p99 ms |\n");
    md.append("|---|---|---|---|---|---|---|\n");
    for (Work work : Work.values()) {
      appendFigures(md, "Gatehouse", work);
      appendFigures(md, "nginx", work);
    }
    appendScenarios(md);
    appendMemory(md);
    if (!seen.failures().isEmpty()) {
      md.append("\n## What failed\n\n");
      seen.failures().forEach(failure -> md.append("- ").append(failure.replace("\n", " ")).append("\n"));
    }
    return md.toString();
  }

  private void appendComparison(StringBuilder md, Work work) {
    OptionalDouble ours = perCpuSecond("Gatehouse", work);
    OptionalDouble peer = perCpuSecond("nginx", work);
    if (ours.isEmpty()) {
      return;
    }
    md.append(format("| %s | %,.0f | %s |", work.title(), ours.getAsDouble(), work.peer()));
    if (peer.isEmpty()) {
      md.append(" | | | |\n");
      return;
    }
    md.append(
        format(
            " %,.0f | **%.2f** | %.2f | %.2f |%n",
            peer.getAsDouble(), ours.getAsDouble() / peer.getAsDouble(), work.least(), work.aim()));
  }

  private void appendFigures(StringBuilder md, String server, Work work) {
    List<WorkWindow> turns = of(server, work);
    if (turns.isEmpty()) {
      return;
    }
    double[] each = turns.stream().mapToDouble(WorkWindow::perCpuSecond).sorted().toArray();
    double average = perCpuSecond(server, work).orElse(0);
    md.append(
        format(
            "| %s, %s | %,.0f | %,.0f .. %,.0f | %.1f | %,.0f | %.2f | %.2f |%n",
            server,
            work.title(),
            average,
            each[0],
            each[each.length - 1],
            1e6 / average,
            turns.stream().mapToDouble(WorkWindow::perSecond).average().orElse(0),
            median(turns.stream().mapToDouble(WorkWindow::p50Ms).toArray()),
            median(turns.stream().mapToDouble(WorkWindow::p99Ms).toArray())));
  }

  /**
   * Appends the scenarios with the published figures, which are of machines with 16 to 64 CPUs; here one CPU second
   * counts.
   */
  private void appendScenarios(StringBuilder md) {
    List<Scenario> played =
        Arrays.stream(Scenario.values())
            .filter(scenario -> !of("Gatehouse", scenario.word()).isEmpty())
            .toList();
    if (played.isEmpty()) {
      return;
    }
    md.append("\n## Identity server and access gateway (FIGURES S2)\n\nAll on this one machine, the load included: people at ");
    md.append("random, each login asks slapd. Published: the best of four\nclusters of 4 gateways and 4 identity servers.\n\n");
    md.append("| scenario | per second | p50 ms | p99 ms | CPU ms each: gateway and idp, slapd, app | published |\n");
    md.append("|---|---|---|---|---|---|\n");
    for (Scenario scenario : played) {
      WorkWindow seen = of("Gatehouse", scenario.word()).getLast();
      List<String> costs =
          seen.costs().stream().map(cost -> format("%.3f", 1000 * cost.cpuSeconds() / seen.done())).toList();
      md.append(
          format(
              "| %s | %,.0f | %.2f | %.2f | %s | %s |%n",
              scenario.title(), seen.perSecond(), seen.p50Ms(), seen.p99Ms(), String.join(", ", costs), scenario.published()));
    }
  }

  private void appendMemory(StringBuilder md) {
    if (seen.memory().isEmpty()) {
      return;
    }
    md.append("\n## Resident memory\n\n| | idle MB | with open connections MB | connections |\n|---|---|---|---|\n");
    for (Memory.Result each : seen.memory()) {
      md.append(
          format("| %s | %,d | %,d | %,d |%n", each.server(), each.idleMb(), each.openMb(), each.connections()));
    }
  }

  private OptionalDouble perCpuSecond(String server, Work work) {
    List<WorkWindow> turns = of(server, work);
    if (turns.isEmpty()) {
      return OptionalDouble.empty();
    }
    double cpu = turns.stream().mapToDouble(WorkWindow::ownCpuSeconds).sum();
    return OptionalDouble.of(turns.stream().mapToLong(WorkWindow::done).sum() / cpu);
  }

  private List<WorkWindow> of(String server, Work work) {
    return of(server, work.word());
  }

  private List<WorkWindow> of(String server, String word) {
    return seen.windows().stream()
        .filter(w -> w.server().equals(server) && w.work().equals(word) && w.phase().equals(WorkWindow.STEADY))
        .toList();
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values.length == 0 ? 0 : values[values.length / 2];
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
