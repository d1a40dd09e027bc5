package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.report.BarChart;
import dev.gatehouse.perf.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The results of {@code bench oauth}: all windows as JSON, conclusions as Markdown, the ratios as a picture. */
record OAuthReport(
    String command,
    String commit,
    Instant measuredAt,
    Machine machine,
    Map<String, String> settings,
    OAuthBenchmark.Results seen) {

  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** Writes {@code oauth.json}, {@code oauth.md} and, with Keycloak, {@code oauth.svg}; returns the Markdown. */
  String write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("oauth.json"), JSON.writeValueAsString(this) + "\n");
    List<BarChart.Bar> bars = bars();
    if (!bars.isEmpty()) {
      String title = "CPU time of Keycloak's process for one flow, in ours";
      Files.writeString(folder.resolve("oauth.svg"), BarChart.svg(title, bars));
    }
    String markdown = markdown(!bars.isEmpty());
    Files.writeString(folder.resolve("oauth.md"), markdown);
    return markdown;
  }

  private List<BarChart.Bar> bars() {
    List<BarChart.Bar> bars = new ArrayList<>();
    for (Flow flow : Flow.values()) {
      FlowFigures ours = FlowFigures.of(seen.windows(), "Gatehouse", flow);
      FlowFigures peer = FlowFigures.of(seen.windows(), "Keycloak", flow);
      if (!ours.isEmpty() && !peer.isEmpty()) {
        bars.add(new BarChart.Bar(flow.title(), Map.of("times as much", ours.perCpuSecond() / peer.perCpuSecond())));
      }
    }
    return bars;
  }

  private String markdown(boolean hasPicture) {
    StringBuilder md = new StringBuilder("# oauth\n\n");
    md.append("`").append(command).append("`, commit ").append(commit).append(", ").append(measuredAt).append(".\n");
    md.append(machine.cores()).append(" cores of ").append(machine.processor()).append(", ").append(machine.memoryMb());
    md.append(" MB, Linux ").append(machine.kernel()).append(", JDK ").append(machine.java()).append(".\n");
    settings.forEach((key, value) -> md.append(key).append(": ").append(value).append(". "));
    md.append(
        """


        All with the embedded durable stores, audit log on, people in slapd; Keycloak with PostgreSQL and the same
        slapd, the same algorithms, refresh tokens that rotate; by plain HTTP/1.1 with connections kept. CPU seconds are
        those of the server's process, as the operating system counts them, both warm, in turns.
        """);
    new OAuthTables(seen).append(md);
    if (hasPicture) {
      md.append("\n![CPU time of Keycloak in ours](oauth.svg)\n");
    }
    return md.toString();
  }
}
