package dev.gatehouse.perf.faults;

import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.RollingUpgrade;
import dev.gatehouse.common.faults.Site;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.server.Build;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Two nodes of a former build that are replaced by this one under load, and back, and {@code faults-upgrade.md}. */
final class UpgradeFault {

  private static final Duration BEFORE = Duration.ofSeconds(10);
  private static final Duration MOST_GAP = Duration.ofSeconds(10);

  private final Path former;
  private final Path results;
  private final Markdown table =
      Markdown.table(
          "what | requests | failed | longest gap, pages | longest gap, other work | facts | lost | wrongly accepted | not answered for"
              + " | errors | kept");

  /** @param former another checkout of Gatehouse */
  UpgradeFault(Path former, Path results) {
    this.former = former;
    this.results = results;
  }

  /** Carries it out; returns whether all is as promised. */
  boolean run() throws Exception {
    Build there = Build.other(former);
    Build here = Build.here();
    Path work = Files.createTempDirectory("gatehouse-upgrade-");
    RollingUpgrade upgrade;
    try (DemoDirectory directory = DemoDirectory.start(0);
        SampleApp sample = SampleApp.start(0)) {
      upgrade =
          RollingUpgrade.run(
              program -> new Site.Plan(work, program, directory.port(), sample.port(), Duration.ZERO, Site.Shape.NUMBERED),
              there::command, here::command, BEFORE);
    }
    boolean kept = row("nodes of the former build are replaced one after the other", upgrade.there());
    kept &= row("nodes of this build are replaced by the former one", upgrade.back());
    write(Report.commitOf(former), Report.commitHere());
    return kept;
  }

  private boolean row(String what, FaultRow row) {
    int facts = row.facts().values().stream().mapToInt(Integer::intValue).sum();
    List<String> broken = broken(row);
    table.row(
        "%s | %d | %d | %s | %s | %d | %d | %d | %d | %d | %s", what, row.requests().answered() + row.requests().failed(),
        row.requests().failed(), seconds(row.pageGap()), seconds(row.workGap()), facts, row.lost(), row.wronglyAccepted(),
        row.judged().unanswered(), row.judged().unexpected(), broken.isEmpty() ? "yes" : "**no**");
    System.err.printf("%s: %s, lost %d, wrongly accepted %d%n", what, row.requests(), row.lost(), row.wronglyAccepted());
    row.findings().stream().filter(line -> line.contains(": ")).forEach(line -> System.err.println("    " + line));
    row.failures().forEach((failure, count) -> System.err.println("    " + count + " x " + failure));
    broken.forEach(line -> System.err.println("  BROKEN: " + line));
    return broken.isEmpty();
  }

  /** Returns what is not as promised: in an upgrade not even a request may fail. A row whose load did nothing proves nothing. */
  static List<String> broken(FaultRow row) {
    FaultRow.Judged judged = row.judged();
    Map<String, Boolean> wrong = new LinkedHashMap<>();
    wrong.put("requests failed", row.requests().failed() > 0);
    wrong.put("facts were lost", judged.lost() > 0);
    wrong.put("facts were wrongly accepted", judged.wronglyAccepted() > 0);
    wrong.put("facts were not answered for", judged.unanswered() > 0);
    wrong.put("answers were errors, or refused what was granted", judged.unexpected() > 0);
    wrong.put("requests still failed long after", judged.stillFails());
    wrong.put("pages were away for longer than " + seconds(MOST_GAP), row.pageGap().compareTo(MOST_GAP) > 0);
    wrong.put("other work was away for longer than " + seconds(MOST_GAP), row.workGap().compareTo(MOST_GAP) > 0);
    wrong.put("no fact was checked", row.requests().checks() == 0 || row.facts().isEmpty());
    return wrong.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }

  private void write(String formerCommit, String commit) throws IOException {
    Files.createDirectories(results);
    Files.writeString(
        results.resolve("faults-upgrade.md"),
        "# rolling upgrade\n\n`./gatehouse bench faults --former DIR`; the former build is commit " + formerCommit
            + ", this one " + commit + "; " + Machine.here()
            + ". Two nodes behind HAProxy, which\nchanges the node at every request, with PostgreSQL and Valkey (`acknowledge: replica`); each"
            + " node is stopped by SIGTERM, and started\nas the other build. The load and the servers share the machine.\n\n"
            + table);
  }
}
