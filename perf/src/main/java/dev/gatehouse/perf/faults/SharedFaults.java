package dev.gatehouse.perf.faults;

import dev.gatehouse.common.faults.EmptiedStore;
import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.FaultRun;
import dev.gatehouse.common.faults.SharedFault;
import dev.gatehouse.common.faults.Site;
import dev.gatehouse.common.faults.StaleSessions;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
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
import java.util.Set;
import tools.jackson.core.type.TypeReference;

/**
 * The group {@code shared}: two nodes with shared stores, each fault on servers of its own, {@code faults-shared.json} and
 * {@code faults-shared.md}, or {@code faults-shared-defaults} with the defaults of the program. Repeating a row replaces it; the
 * others stay.
 */
public final class SharedFaults {

  /** The name of the group on the command line; {@code shared/NAME} is one row. */
  static final String GROUP = "shared";

  static final String ROW = GROUP + "/";

  static final String DESCRIPTION =
      "Two nodes with PostgreSQL and Valkey under load, while nodes and stores are killed, stopped or cut off.";

  private static final Duration BEFORE = Duration.ofSeconds(10);
  private static final Duration STALENESS = Duration.ofSeconds(60);
  private static final String EMPTIED = "EMPTIED";
  private static final String EMPTIED_TEXT = "FLUSHALL of Valkey: from then on nothing is served";
  private static final String STALE = "STALE";
  private static final String STALE_TEXT = "Valkey stands still for longer than `staleness: " + STALENESS.toSeconds() + "s`";

  private final Path results;
  private final String file;
  private final Duration staleness;
  private final String commit;
  private final Map<String, SharedRow> rows = new LinkedHashMap<>();

  /** @param recommended whether the servers are set as the program's defaults and the guide of Valkey have it, instead of stricter */
  SharedFaults(Path results, boolean recommended) throws IOException, InterruptedException {
    this.results = results;
    this.file = recommended ? "faults-shared-defaults" : "faults-shared";
    this.staleness = recommended ? STALENESS : Duration.ZERO;
    this.commit = Report.commitHere();
    Path json = results.resolve(file + ".json");
    if (Files.exists(json)) {
      for (SharedRow each : Report.JSON.readValue(Files.readString(json), new TypeReference<List<SharedRow>>() {})) {
        rows.put(each.name(), each);
      }
    }
  }

  /** Returns whether a word of the command line is this group, or one of its rows. */
  static boolean isWanted(String word) {
    return word.equals(GROUP) || word.startsWith(ROW);
  }

  /** Returns the name on the command line and the description of each row. */
  static Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    for (SharedFault fault : SharedFault.values()) {
      names.put(word(fault.name()), fault.description());
    }
    names.put(word(EMPTIED), EMPTIED_TEXT);
    names.put(word(STALE), STALE_TEXT);
    return names;
  }

  /** Returns how a row is called on the command line. */
  static String word(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Carries out the faults; returns whether all is as promised. Two faults at once are reported only.
   *
   * @param wanted the names of rows; none for all
   */
  boolean run(Set<String> wanted) throws IOException {
    boolean kept = true;
    for (SharedFault fault : SharedFault.values()) {
      if (isChosen(wanted, fault.name())) {
        System.err.println(fault.name() + ": " + fault.description());
        SharedRow row = measured(fault);
        kept &= add(row, row.broken(fault)) || fault.isDouble();
      }
    }
    if (isChosen(wanted, EMPTIED)) {
      SharedRow row = emptied();
      kept &= add(row, row.broken());
    }
    if (isChosen(wanted, STALE)) {
      SharedRow row = stale();
      kept &= add(row, row.broken());
    }
    return kept;
  }

  private static boolean isChosen(Set<String> wanted, String name) {
    return wanted.isEmpty() || wanted.contains(word(name));
  }

  private interface OnSite<T> {
    T run(Site site) throws Exception;
  }

  private static <T> T on(Site.Shape shape, Duration staleness, OnSite<T> what) throws Exception {
    Path work = Files.createTempDirectory("gatehouse-shared-");
    Build build = Build.here();
    try (DemoDirectory directory = DemoDirectory.start(0);
        SampleApp sample = SampleApp.start(0);
        Site site = Site.start(new Site.Plan(work, build::command, directory.port(), sample.port(), staleness, shape))) {
      return what.run(site);
    }
  }

  /** Carries out one fault on servers of its own, whose nodes serve nothing while Valkey is away. */
  public static FaultRow row(SharedFault fault) throws Exception {
    return row(fault, Duration.ZERO);
  }

  private static FaultRow row(SharedFault fault, Duration staleness) throws Exception {
    return on(fault.shape(), staleness, site -> FaultRun.run(site, fault, BEFORE));
  }

  private SharedRow measured(SharedFault fault) {
    try {
      return SharedRow.of(fault, SharedRow.now(commit), row(fault, staleness));
    } catch (Exception e) {
      return SharedRow.failed(fault, SharedRow.now(commit), e);
    }
  }

  private SharedRow emptied() {
    String what = EMPTIED_TEXT;
    System.err.println(EMPTIED + ": " + what);
    try {
      EmptiedStore emptied = on(Site.Shape.SENTINELS, staleness, EmptiedStore::of);
      return text(
          EMPTIED, what,
          "Noticed after " + seconds(emptied.noticed().toMillis()) + "; after that, " + emptied.served() + " requests were served.",
          emptied.served(), 0);
    } catch (Exception e) {
      return new SharedRow(EMPTIED, what, SharedRow.now(commit), Map.of(), Map.of(), Map.of(), List.of(), e.toString());
    }
  }

  private SharedRow stale() {
    String what = STALE_TEXT;
    System.err.println(STALE + ": " + what);
    try {
      StaleSessions stale = on(Site.Shape.LINES, STALENESS, site -> StaleSessions.of(site, STALENESS));
      String text =
          "Pages of known sessions: "
              + stale.served() + " served and " + stale.refused() + " refused within that time, the last one served after "
              + seconds(stale.servedFor().toMillis()) + ", " + stale.servedAfter() + " of 10 served after it; logins in the outage: "
              + stale.logins() + ". A person who logged out in the outage got " + stale.leaverServed()
              + " of 10 pages then (one of the two nodes knows it), and " + stale.leaverServedLater()
              + " of 10 after it. All sessions were served again "
              + seconds(stale.back().toMillis()) + " after Valkey, and " + stale.lost() + " were lost.";
      return text(STALE, what, text, stale.servedAfter() + stale.logins() + stale.leaverServedLater(), stale.lost());
    } catch (Exception e) {
      return new SharedRow(STALE, what, SharedRow.now(commit), Map.of(), Map.of(), Map.of(), List.of(), e.toString());
    }
  }

  private SharedRow text(String name, String what, String text, int wronglyAccepted, int lost) {
    return SharedRow.told(name, what, SharedRow.now(commit), text, wronglyAccepted, lost);
  }

  private boolean add(SharedRow row, List<String> broken) throws IOException {
    rows.put(row.name(), row);
    System.err.println("  " + (row.failure().isEmpty() ? row.counts() + " " + row.millis() + " " + row.facts() : row.failure()));
    row.notes().forEach(line -> System.err.println("    " + line));
    broken.forEach(line -> System.err.println("  BROKEN: " + line));
    Files.createDirectories(results);
    Files.writeString(results.resolve(file + ".json"), Report.JSON.writeValueAsString(rows.values()) + "\n");
    Files.writeString(results.resolve(file + ".md"), markdown());
    return broken.isEmpty();
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
  }

  private String markdown() throws IOException {
    return SharedTable.of(rows.values(), staleness);
  }
}
