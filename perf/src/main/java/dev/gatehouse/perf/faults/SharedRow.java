package dev.gatehouse.perf.faults;

import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.SharedFault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A row of {@code faults-shared.json}.
 *
 * @param commit of the code that was measured, and when
 * @param counts requests, failed ones, facts lost and wrongly accepted
 * @param millis gaps of pages and of other work, and the time until the last request that failed
 * @param facts how many of each kind were acknowledged
 * @param notes what failed and what was unexpected
 * @param failure why the row could not be measured; empty if it was
 */
record SharedRow(
    String name, String description, String commit, Map<String, Integer> counts, Map<String, Long> millis, Map<String, Integer> facts,
    List<String> notes, String failure) {

  static final String REQUESTS = "requests";
  static final String FAILED = "failed";
  static final String LOST = "lost";
  static final String WRONGLY_ACCEPTED = "wronglyAccepted";
  static final String PAGE_GAP = "pageGap";
  static final String WORK_GAP = "workGap";
  static final String RECOVERY = "recovery";

  private static final int MOST_NOTES = 12;

  static SharedRow of(SharedFault fault, String commit, FaultRow row) {
    Map<String, Integer> counts =
        Map.of(
            REQUESTS, Math.toIntExact(row.requests().answered() + row.requests().failed()), FAILED, row.requests().failed(), LOST,
            row.lost(), WRONGLY_ACCEPTED, row.wronglyAccepted());
    Map<String, Long> millis =
        Map.of(PAGE_GAP, row.pageGap().toMillis(), WORK_GAP, row.workGap().toMillis(), RECOVERY, row.recovery().toMillis());
    Stream<String> failures = row.failures().entrySet().stream().map(each -> each.getValue() + " x " + each.getKey());
    Stream<String> unexpected = row.findings().stream().filter(line -> line.contains(": ") || line.contains("still"));
    return new SharedRow(
        fault.name(), fault.description(), commit, new java.util.TreeMap<>(counts), new java.util.TreeMap<>(millis), row.facts(),
        Stream.concat(unexpected, failures).limit(MOST_NOTES).toList(), "");
  }

  static SharedRow failed(SharedFault fault, String commit, Exception failure) {
    return new SharedRow(fault.name(), fault.description(), commit, Map.of(), Map.of(), Map.of(), List.of(), failure.toString().lines().findFirst().orElse(""));
  }

  /** Returns whether nothing was lost or wrongly accepted, and the pages came back within the bound. */
  boolean isKept(Duration bound) {
    return failure.isEmpty()
        && counts.getOrDefault(LOST, 1) == 0
        && counts.getOrDefault(WRONGLY_ACCEPTED, 1) == 0
        && millis.getOrDefault(PAGE_GAP, Long.MAX_VALUE) <= bound.toMillis();
  }

  int count(String what) {
    return counts.getOrDefault(what, 0);
  }

  int factsInAll() {
    return facts.values().stream().mapToInt(Integer::intValue).sum();
  }

  static String now(String commit) {
    return commit + ", " + Instant.now().truncatedTo(java.time.temporal.ChronoUnit.MINUTES);
  }
}
