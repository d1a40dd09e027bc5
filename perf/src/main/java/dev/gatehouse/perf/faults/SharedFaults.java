package dev.gatehouse.perf.faults;

import dev.gatehouse.common.faults.EmptiedStore;
import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.FaultRun;
import dev.gatehouse.common.faults.SharedFault;
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
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The group {@code shared}: two nodes with shared stores, each fault on servers of its own, and {@code faults-shared.md}. */
public final class SharedFaults {

  /** The name of the group on the command line. */
  static final String GROUP = "shared";

  static final String DESCRIPTION = "Two nodes with PostgreSQL and Valkey under load, while nodes and stores are killed, stopped or cut off.";

  private static final Duration BEFORE = Duration.ofSeconds(10);
  private static final String EMPTIED = "FLUSHALL of Valkey: from then on nothing is served";

  private final Path results;
  private final Markdown table =
      Markdown.table(
          "fault | requests | failed | longest gap, pages | longest gap, other work | recovered after | facts | lost | wrongly accepted");
  private final StringBuilder notes = new StringBuilder();

  SharedFaults(Path results) {
    this.results = results;
  }

  /** Carries out all faults; returns whether nothing was lost or wrongly accepted. */
  boolean run() throws IOException, InterruptedException {
    boolean kept = true;
    for (SharedFault fault : SharedFault.values()) {
      System.err.println(fault.description());
      try {
        kept &= run(fault);
      } catch (Exception e) {
        kept = false;
        notes.append("\n**Not carried out:** ").append(fault.description()).append(": ").append(e).append('\n');
        System.err.println("  not carried out: " + e);
      }
      write();
    }
    kept &= emptied();
    write();
    return kept;
  }

  private interface OnSite<T> {
    T run(Site site) throws Exception;
  }

  private static <T> T on(boolean hasSentinels, OnSite<T> what) throws Exception {
    Path work = Files.createTempDirectory("gatehouse-shared-");
    Build build = Build.here();
    try (DemoDirectory directory = DemoDirectory.start(0);
        SampleApp sample = SampleApp.start(0);
        Site site =
            Site.start(
                new Site.Plan(
                    work, folder -> build.command("run", "--config", folder.toString()), directory.port(), sample.port(), Duration.ZERO,
                    hasSentinels))) {
      return what.run(site);
    }
  }

  /** Carries out one fault on servers of its own. */
  public static FaultRow row(SharedFault fault) throws Exception {
    return on(fault.hasSentinels(), site -> FaultRun.run(site, fault, BEFORE));
  }

  private boolean run(SharedFault fault) throws Exception {
    FaultRow row = row(fault);
    int facts = row.facts().values().stream().mapToInt(Integer::intValue).sum();
    table.row(
        "%s | %d | %d | %s | %s | %s | %d | %d | %d", fault.description(), row.requests().answered() + row.requests().failed(),
        row.requests().failed(), seconds(row.pageGap()), seconds(row.workGap()), seconds(row.recovery()), facts, row.lost(),
        row.wronglyAccepted());
    List<String> unexpected = row.findings().stream().filter(line -> line.contains(": ")).toList();
    System.err.printf("  %s, lost %d, wrongly accepted %d%n", row.requests(), row.lost(), row.wronglyAccepted());
    Stream.concat(unexpected.stream(), row.failures().entrySet().stream().map(each -> each.getValue() + " x " + each.getKey()))
        .forEach(line -> System.err.println("    " + line));
    return row.lost() == 0 && row.wronglyAccepted() == 0;
  }

  private boolean emptied() throws IOException {
    System.err.println(EMPTIED);
    try {
      EmptiedStore emptied = on(true, EmptiedStore::of);
      notes.append("\n").append(EMPTIED).append(": after ").append(seconds(emptied.noticed())).append("; after that ");
      notes.append(emptied.served()).append(" requests were served.\n");
      return emptied.served() == 0;
    } catch (Exception e) {
      notes.append("\n**Not carried out:** ").append(EMPTIED).append(": ").append(e).append('\n');
      return false;
    }
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }

  private void write() throws IOException, InterruptedException {
    Files.createDirectories(results);
    Files.writeString(
        results.resolve("faults-shared.md"),
        "# faults of shared stores\n\n`./gatehouse bench faults shared`; commit " + Report.commitHere() + "; " + Machine.here()
            + ". Two nodes behind HAProxy, which\nchanges the node at every request; PostgreSQL with a synchronous standby; Valkey with two replicas"
            + " and three Sentinels (`acknowledge:\nreplica`, `staleness: 0s`). The load and the servers share the machine.\n\n"
            + table + notes);
  }
}
