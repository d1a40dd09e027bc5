package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.load.BareSignature;
import dev.gatehouse.perf.report.LineChart;
import dev.gatehouse.perf.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The results of {@code bench sso}: all windows as JSON, conclusions as Markdown, the warm-up as a picture. */
record SsoReport(
    String command,
    String commit,
    Instant measuredAt,
    Machine machine,
    Map<String, String> settings,
    List<SsoWindow> windows) {

  static final String WARM_UP = "warm-up";
  static final String STEADY = "steady";

  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** Writes {@code sso.json}, {@code sso.md} and {@code sso.svg}; returns the Markdown. */
  String write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("sso.json"), JSON.writeValueAsString(this) + "\n");
    Files.writeString(folder.resolve("sso.svg"), picture());
    String markdown = markdown();
    Files.writeString(folder.resolve("sso.md"), markdown);
    return markdown;
  }

  private String picture() {
    List<LineChart.Curve> curves = new ArrayList<>();
    for (String server : servers(WARM_UP)) {
      List<LineChart.Point> points =
          of(server, WARM_UP).stream()
              .filter(window -> window.responses() > 0 && window.ownCpuSeconds() > 0)
              .map(window -> new LineChart.Point(window.at(), window.responses() / window.ownCpuSeconds()))
              .toList();
      curves.add(new LineChart.Curve(server, points));
    }
    return LineChart.svg("Signed Responses per CPU second of the server", "seconds since its process was started", curves);
  }

  private String markdown() {
    StringBuilder md = new StringBuilder("# sso\n\n");
    md.append("`").append(command).append("`, commit ").append(commit).append(", ").append(measuredAt).append(".\n");
    md.append(machine.cores()).append(" cores of ").append(machine.processor()).append(", ").append(machine.memoryMb());
    md.append(" MB, Linux ").append(machine.kernel()).append(", JDK ").append(machine.java()).append(".\n");
    settings.forEach((key, value) -> md.append(key).append(": ").append(value).append(". "));
    md.append("\n\nA person who is logged in, an unsigned AuthnRequest by Redirect, a page with a Response back: one signature.\n");
    appendSteady(md);
    appendRatios(md);
    md.append("\n## Warm-up\n\n![Warm-up](sso.svg)\n\nResponses per CPU second of the server process:\n\n");
    appendWarmUp(md);
    return md.toString();
  }

  private void appendSteady(StringBuilder md) {
    md.append("\n## Warm, in turns\n\n");
    md.append("| | responses per CPU second | from .. to by round | with what it needs | CPU ms each | per second |\n");
    md.append("|---|---|---|---|---|---|\n");
    for (String server : servers(STEADY)) {
      List<SsoWindow> rounds = of(server, STEADY);
      double[] each = rounds.stream().mapToDouble(w -> w.responses() / w.ownCpuSeconds()).sorted().toArray();
      md.append(
          format(
              "| %s | %,.0f | %,.0f .. %,.0f | %,.0f | %.3f | %,.0f |%n",
              server,
              perCpuSecond(server),
              each[0],
              each[each.length - 1],
              1 / allCpuSecondsEach(server),
              1000 / perCpuSecond(server),
              rounds.stream().mapToDouble(SsoWindow::perSecond).average().orElse(0)));
    }
  }

  private void appendRatios(StringBuilder md) {
    md.append("\n| | measured | wanted |\n|---|---|---|\n");
    for (String server : servers(WARM_UP)) {
      String key = server.substring(server.lastIndexOf(' ') + 1);
      if (!server.startsWith("Gatehouse")) {
        continue;
      }
      String bare = BareSignature.name(key);
      if (servers(STEADY).contains(bare)) {
        double share = 100 * perCpuSecond(server) / perCpuSecond(bare);
        md.append(format("| %s, of the bare signature rate | %.0f %% | %s |%n", server, share, key.equals("p-256") ? "" : "60 %"));
      }
      if (key.equals("p-256")) {
        md.append(format("| %s, per CPU second | %,.0f | 5,000 |%n", server, perCpuSecond(server)));
      }
      OptionalDouble warm = secondsTo(server, 0.8);
      String seconds = warm.isPresent() ? format("%.0f s", warm.getAsDouble()) : "not reached";
      md.append(format("| %s, from start to 80 %% of its steady rate | %s | 30 s |%n", server, seconds));
    }
    appendPeer(md);
  }

  private void appendPeer(StringBuilder md) {
    List<String> servers = servers(STEADY);
    String peer = "Keycloak, rsa-2048";
    String ours = "Gatehouse, rsa-2048";
    if (!servers.contains(peer) || !servers.contains(ours)) {
      return;
    }
    double own = perCpuSecond(ours) / perCpuSecond(peer);
    double all = allCpuSecondsEach(peer) / allCpuSecondsEach(ours);
    md.append(format("| Keycloak's CPU time for a Response, in ours | %.1f | 6 |%n", own));
    md.append(format("| the same with PostgreSQL and slapd | %.1f | |%n", all));
    OptionalDouble warm = secondsTo(peer, 0.8);
    String seconds = warm.isPresent() ? format("%.0f s", warm.getAsDouble()) : "not reached";
    md.append(format("| %s, from start to 80 %% of its steady rate | %s | |%n", peer, seconds));
  }

  private void appendWarmUp(StringBuilder md) {
    List<String> servers = servers(WARM_UP);
    md.append("| seconds since start |");
    servers.forEach(server -> md.append(" ").append(server).append(" |"));
    md.append("\n|---|").append("---|".repeat(servers.size())).append("\n");
    for (int second : new int[] {5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 360, 480, 600}) {
      List<String> cells = servers.stream().map(server -> at(server, second)).toList();
      if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
        md.append("| ").append(second).append(" | ").append(String.join(" | ", cells)).append(" |\n");
      }
    }
  }

  /** The figure of the first window that ends at or soon after that second; empty if there is none. */
  private String at(String server, int second) {
    return of(server, WARM_UP).stream()
        .filter(window -> window.at() >= second && window.at() < second + 2 * window.seconds())
        .findFirst()
        .map(window -> format("%,.0f", window.responses() / window.ownCpuSeconds()))
        .orElse("");
  }

  /** The time at which the rate first reached that share of the steady rate, and did so in the next window as well. */
  private OptionalDouble secondsTo(String server, double share) {
    double wanted = share * of(server, STEADY).stream().mapToDouble(SsoWindow::perSecond).average().orElse(0);
    List<SsoWindow> curve = of(server, WARM_UP);
    for (int i = 0; i + 1 < curve.size(); i++) {
      if (curve.get(i).perSecond() >= wanted && curve.get(i + 1).perSecond() >= wanted) {
        return OptionalDouble.of(curve.get(i).at());
      }
    }
    return OptionalDouble.empty();
  }

  private double perCpuSecond(String server) {
    List<SsoWindow> rounds = of(server, STEADY);
    return rounds.stream().mapToLong(SsoWindow::responses).sum()
        / rounds.stream().mapToDouble(SsoWindow::ownCpuSeconds).sum();
  }

  private double allCpuSecondsEach(String server) {
    List<SsoWindow> rounds = of(server, STEADY);
    return rounds.stream().mapToDouble(SsoWindow::allCpuSeconds).sum()
        / rounds.stream().mapToLong(SsoWindow::responses).sum();
  }

  private List<SsoWindow> of(String server, String phase) {
    return windows.stream().filter(w -> w.server().equals(server) && w.phase().equals(phase)).toList();
  }

  private List<String> servers(String phase) {
    return windows.stream().filter(w -> w.phase().equals(phase)).map(SsoWindow::server).distinct().toList();
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
