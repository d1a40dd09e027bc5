package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.load.BareSignature;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The conclusions of {@code bench oauth} as Markdown. */
final class OAuthTables {

  private static final int WANTED_SHARE = 75;
  private static final int WANTED_BYTES = 300;
  private static final String DIRECTORY = "slapd";

  private final OAuthBenchmark.Results seen;

  OAuthTables(OAuthBenchmark.Results seen) {
    this.seen = seen;
  }

  void append(StringBuilder md) {
    appendGoals(md);
    appendFigures(md, "Gatehouse");
    appendFigures(md, "Keycloak");
    appendBare(md);
    if (!seen.failures().isEmpty()) {
      md.append("\n## Failed\n\n");
      seen.failures().forEach(failure -> md.append("- ").append(failure.lines().findFirst().orElse("")).append("\n"));
    }
  }

  private void appendGoals(StringBuilder md) {
    md.append("\n## What was wanted\n\n| flow | per CPU second | wanted | in Keycloak's | wanted | per second |");
    md.append(" report of 2017, 8 cores |\n|---|---|---|---|---|---|---|\n");
    for (Flow flow : Flow.values()) {
      FlowFigures ours = figures("Gatehouse", flow);
      if (!ours.isEmpty()) {
        md.append(
            format(
                "| %s | %,.0f | %s | %s | %s | %,.0f | %s |%n",
                flow.title(),
                ours.perCpuSecond(),
                wanted(flow, ours),
                ratio(flow, ours),
                flow.wanted().timesPeer() == 0 ? "" : flow.wanted().timesPeer() + "x",
                ours.perSecond(),
                flow.wanted().published() == 0 ? "" : Integer.toString(flow.wanted().published())));
      }
    }
    FlowFigures rsa = figures("Gatehouse", Flow.CLIENT_CREDENTIALS_RS256);
    if (!rsa.isEmpty()) {
      double share = 100 * rsa.perCpuSecond() / bare("rsa-2048");
      md.append(format("%nClient credentials by RS256: %.0f %% of the bare signature rate;", share));
      md.append(format(" wanted: %d %%.%n", WANTED_SHARE));
    }
    seen.memory()
        .ifPresent(
            memory ->
                md.append(
                    format(
                        "%n%,d refresh tokens that wait take %.0f bytes of heap each, and %.0f on disk; wanted: %d.%n",
                        memory.tokens(), memory.heapEach(), memory.diskEach(), WANTED_BYTES)));
  }

  private static String wanted(Flow flow, FlowFigures ours) {
    Flow.Wanted wanted = flow.wanted();
    if (wanted.cpuMillis() > 0) {
      return format("%.2f ms each; is %.2f", wanted.cpuMillis(), ours.cpuMillis());
    }
    return wanted.perCpuSecond() == 0 ? "" : format("%,d", wanted.perCpuSecond());
  }

  private String ratio(Flow flow, FlowFigures ours) {
    FlowFigures peer = figures("Keycloak", flow);
    return peer.isEmpty() ? "" : format("%.1fx", ours.perCpuSecond() / peer.perCpuSecond());
  }

  private void appendFigures(StringBuilder md, String server) {
    List<Flow> flows = Arrays.stream(Flow.values()).filter(flow -> !figures(server, flow).isEmpty()).toList();
    if (flows.isEmpty()) {
      return;
    }
    md.append("\n## ").append(server).append("\n\n");
    md.append("| flow | per CPU second | from .. to by round | CPU ms each | with what it needs, per CPU second |");
    md.append(" per second | p50 ms | p99 ms |\n|---|---|---|---|---|---|---|---|\n");
    for (Flow flow : flows) {
      FlowFigures figures = figures(server, flow);
      md.append(
          format(
              "| %s | %,.0f | %,.0f .. %,.0f | %.3f | %,.0f | %,.0f | %.2f | %.2f |%n",
              flow.title(),
              figures.perCpuSecond(),
              figures.leastPerCpuSecond(),
              figures.mostPerCpuSecond(),
              figures.cpuMillis(),
              figures.perCpuSecondOfAll(),
              figures.perSecond(),
              figures.p50Ms(),
              figures.p99Ms()));
    }
  }

  private void appendBare(StringBuilder md) {
    md.append("\n## Bare, in the same rounds\n\n| | per CPU second |\n|---|---|\n");
    for (String key : List.of("rsa-2048", "p-256")) {
      md.append(format("| %s | %,.0f |%n", BareSignature.name(key), bare(key)));
    }
    if (!seen.directory().isEmpty()) {
      md.append(format("| bare directory: search and bind, per CPU second of slapd | %,.0f |%n", bareDirectory()));
    }
    for (String server : List.of("Gatehouse", "Keycloak")) {
      for (Flow flow : Flow.values()) {
        FlowFigures figures = figures(server, flow);
        if (flow.isLogin() && !figures.isEmpty()) {
          md.append(
              format(
                  "| %s at %s, per CPU second of slapd | %,.0f |%n",
                  flow.title(), server, figures.perCpuSecondOf(DIRECTORY)));
        }
      }
    }
  }

  private double bare(String key) {
    List<BareSignature.Result> rounds =
        seen.signatures().stream().filter(each -> each.name().equals(BareSignature.name(key))).toList();
    return rounds.stream().mapToLong(BareSignature.Result::made).sum()
        / rounds.stream().mapToDouble(BareSignature.Result::cpuSeconds).sum();
  }

  private double bareDirectory() {
    return seen.directory().stream().mapToLong(BareDirectory.Result::made).sum()
        / seen.directory().stream().mapToDouble(BareDirectory.Result::cpuSeconds).sum();
  }

  private FlowFigures figures(String server, Flow flow) {
    return FlowFigures.of(seen.windows(), server, flow);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
