package dev.gatehouse.perf.faults;

import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.SharedFault;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A row of {@code faults-shared.json}.
 *
 * @param commit of the code that was measured, and when
 * @param counts requests, failed ones, and what the ledger says of facts and answers
 * @param millis gaps of pages and of the kind of work that was away for the longest time, the time until the last request that failed, how
 *     late ended sessions were accepted, and until configurations were served by all
 * @param facts how many of each kind were acknowledged
 * @param notes what failed and what was unexpected
 * @param failure why the row could not be measured; empty if it was
 */
record SharedRow(
    String name, String description, String commit, Map<String, Integer> counts, Map<String, Long> millis, Map<String, Integer> facts,
    List<String> notes, String failure) {

  static final String REQUESTS = "requests";
  static final String FAILED = "failed";
  static final String CHECKS = "checks";
  static final String LOST = "lost";
  static final String WRONGLY_ACCEPTED = "wronglyAccepted";
  static final String ENDED = "endedSinceFault";
  static final String LATE = "late";
  static final String UNANSWERED = "unanswered";
  static final String UNEXPECTED = "unexpected";
  static final String STILL_FAILS = "stillFails";
  static final String PAGE_GAP = "pageGap";
  static final String WORK_GAP = "workGap";
  static final String RECOVERY = "recovery";
  static final String LATEST = "latest";
  static final String SERVED_HALF = "servedHalf";
  static final String SERVED_LAST = "servedLast";

  /** What has to be 0, and how a reader is told of it. */
  private static final Map<String, String> NONE =
      new TreeMap<>(
          Map.of(
              LOST, "facts were lost", WRONGLY_ACCEPTED, "facts were wrongly accepted", UNANSWERED, "facts were not answered for",
              UNEXPECTED, "answers were errors, or refused what was granted", STILL_FAILS, "requests still failed after recovery"));

  private static final int MOST_NOTES = 16;
  private static final int MOST_WORDS = 300;

  static SharedRow of(SharedFault fault, String commit, FaultRow row) {
    FaultRow.Judged judged = row.judged();
    Map<String, Integer> counts = new TreeMap<>();
    counts.put(REQUESTS, Math.toIntExact(row.requests().answered() + row.requests().failed()));
    counts.put(FAILED, row.requests().failed());
    counts.put(CHECKS, row.requests().checks());
    counts.put(ENDED, row.ended());
    counts.put(LOST, judged.lost());
    counts.put(WRONGLY_ACCEPTED, judged.wronglyAccepted());
    counts.put(LATE, judged.late().facts());
    counts.put(UNANSWERED, judged.unanswered());
    counts.put(UNEXPECTED, judged.unexpected());
    counts.put(STILL_FAILS, judged.stillFails() ? 1 : 0);
    Map<String, Long> millis = new TreeMap<>();
    millis.put(PAGE_GAP, row.gaps().page().toMillis());
    millis.put(WORK_GAP, row.gaps().work().toMillis());
    millis.put(RECOVERY, row.gaps().recovery().toMillis());
    millis.put(LATEST, judged.late().longest().toMillis());
    if (!row.served().isEmpty()) {
      List<Duration> served = row.served().stream().sorted().toList();
      millis.put(SERVED_HALF, served.get((served.size() - 1) / 2).toMillis());
      millis.put(SERVED_LAST, served.getLast().toMillis());
    }
    Stream<String> failures = row.failures().entrySet().stream().map(each -> each.getValue() + " x " + each.getKey());
    Stream<String> unexpected =
        row.findings().stream()
            .filter(line -> line.contains(": ") || line.contains("still fail"))
            .filter(line -> !line.startsWith(fault.description()));
    return new SharedRow(
        fault.name(), fault.description(), commit, counts, millis, row.facts(),
        Stream.concat(unexpected.filter(line -> !line.contains(": LATE ")), failures).limit(MOST_NOTES).toList(), "");
  }

  static SharedRow failed(SharedFault fault, String commit, Exception failure) {
    return new SharedRow(
        fault.name(), fault.description(), commit, Map.of(), Map.of(), Map.of(), List.of(),
        failure.toString().lines().findFirst().map(line -> line.substring(0, Math.min(MOST_WORDS, line.length()))).orElse(""));
  }

  /** A row that one sentence says; what it does not count did not happen. */
  static SharedRow told(String name, String what, String commit, String text, int wronglyAccepted, int lost) {
    Map<String, Integer> counts = new TreeMap<>();
    NONE.keySet().forEach(each -> counts.put(each, 0));
    counts.put(LOST, lost);
    counts.put(WRONGLY_ACCEPTED, wronglyAccepted);
    return new SharedRow(name, what, commit, counts, Map.of(), Map.of(), List.of(text), "");
  }

  /** Returns what is not as promised, of a row that one sentence says; what was not counted is not as promised either. */
  List<String> broken() {
    if (!failure.isEmpty()) {
      return List.of(failure);
    }
    return NONE.entrySet().stream()
        .filter(each -> counts.getOrDefault(each.getKey(), 1) != 0)
        .map(each -> each.getValue() + ": " + counted(each.getKey()))
        .toList();
  }

  /** Returns what is not as promised, of a row of a fault; one whose load did nothing proves nothing. */
  List<String> broken(SharedFault fault) {
    List<String> broken = new ArrayList<>(broken());
    if (!failure.isEmpty()) {
      return broken;
    }
    atMost(fault.mostGap(), PAGE_GAP, "pages were away", broken);
    atMost(fault.mostGap(), WORK_GAP, "other work was away", broken);
    if (fault.isOfConfigurations() || millis.containsKey(SERVED_LAST)) {
      atMost(fault.servedWithin(), SERVED_LAST, "a configuration was not served by all", broken);
    }
    if (count(CHECKS) == 0) {
      broken.add("no fact was checked");
    }
    if (count(ENDED) == 0) {
      broken.add("no session was ended since the fault began");
    }
    fault.kinds().stream()
        .filter(kind -> facts.getOrDefault(kind, 0) == 0)
        .forEach(kind -> broken.add("no fact of this kind was acknowledged: " + kind));
    return broken;
  }

  private void atMost(Duration most, String what, String words, List<String> broken) {
    if (!millis.containsKey(what)) {
      broken.add(words + ": not measured");
    } else if (millis.get(what) > most.toMillis()) {
      broken.add(words + " for " + millis.get(what) + " ms, where " + most.toMillis() + " are wanted at most");
    }
  }

  int count(String what) {
    return counts.getOrDefault(what, 0);
  }

  /** Returns a count as text, which says whether it was counted at all. */
  String counted(String what) {
    return counts.containsKey(what) ? String.valueOf(counts.get(what)) : "not counted";
  }

  int factsInAll() {
    return facts.values().stream().mapToInt(Integer::intValue).sum();
  }

  static String now(String commit) {
    return commit + ", " + Instant.now().truncatedTo(ChronoUnit.MINUTES);
  }
}
