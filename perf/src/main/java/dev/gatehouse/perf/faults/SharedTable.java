package dev.gatehouse.perf.faults;

import dev.gatehouse.common.faults.SharedFault;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The table {@code faults-shared.md}. */
final class SharedTable {

  private static final String INTRODUCTION =
      """
      # faults of shared stores%s

      `./gatehouse bench faults shared%s`; %s. Two nodes behind HAProxy, which changes the node at every request; PostgreSQL with a
      synchronous standby; Valkey with two replicas and three Sentinels, or without where "nobody promotes" (`acknowledge: replica`,
      `staleness: %ds`, `min-replicas-to-write %d`). The load and the servers share the machine. Eight kinds of facts:
      sessions, logouts, revocations, codes used, refresh tokens rotated, consents, registrations, replay marks; with slapd also
      passwords that were changed there. A gap is the longest time in which pages, or one kind of other work, were asked for and
      did not succeed; of the kinds of work the one that was away for the longest time. Late is a session that a node accepted,
      asked past the balancer after its end, within the time that a node may go by its memory (1 s; while a fault may cut it off, 2
      s and `staleness`), with the longest time after the end; later ones are wrongly accepted. Unanswered are facts that nobody
      answered for after the fault, or an ended session of which a node that runs said nothing; unexpected are errors, such as 500,
      and refusals of what was granted. Kept is a row with none of these, nothing lost or wrongly accepted, no request that failed
      a minute after the fault, facts of each kind, and gaps of 2 s at most where a node fails and the other one and the stores go
      on, 20 s where a store is slow for 10 s or lacks a second server until 5 s after a promotion, and 10 s elsewhere, also where
      a node stands still or is cut off. Configurations:
      half of them, and the last one, since the acknowledgement, the repair or the readiness of the node ([decision
      557](../../docs/decisions/0557-ended-sessions-are-tried-at-each-node.md), [decision
      558](../../docs/decisions/0558-a-row-of-faults-fails-at-what-no-fault-explains.md)).

      """;

  private SharedTable() {}

  static String of(Collection<SharedRow> rows, Duration staleness) throws IOException {
    Markdown table =
        Markdown.table(
            "fault | requests | failed | longest gap, pages | longest gap, other work | recovered after | configuration served by all"
                + " | facts | lost | wrongly accepted | late | unanswered | unexpected | kept | commit");
    StringBuilder notes = new StringBuilder();
    for (SharedRow row : rows) {
      if (!row.failure().isEmpty()) {
        notes.append("\n**Not carried out:** ").append(row.description()).append(": ").append(row.failure());
        notes.append(" (").append(row.commit()).append(")\n");
      } else if (row.facts().isEmpty() && fault(row).isEmpty() && !row.notes().isEmpty()) {
        notes.append("\n").append(row.description()).append(": ").append(row.notes().getFirst()).append(" (");
        notes.append(row.commit()).append(")\n");
      } else {
        List<String> broken = broken(row);
        table.row(
            "%s | %d | %d | %s | %s | %s | %s | %d | %d | %d | %s | %s | %s | %s | %s", row.description(), row.count(SharedRow.REQUESTS),
            row.count(SharedRow.FAILED), seconds(row, SharedRow.PAGE_GAP), seconds(row, SharedRow.WORK_GAP),
            seconds(row, SharedRow.RECOVERY), served(row), row.factsInAll(), row.count(SharedRow.LOST),
            row.count(SharedRow.WRONGLY_ACCEPTED), late(row), row.counted(SharedRow.UNANSWERED), row.counted(SharedRow.UNEXPECTED),
            broken.isEmpty() ? "yes" : "no", row.commit());
        broken.forEach(line -> notes.append("\n**Not kept:** ").append(row.description()).append(": ").append(line).append('\n'));
      }
    }
    return INTRODUCTION.formatted(
            staleness.isZero() ? "" : ", with the defaults", staleness.isZero() ? "" : " --defaults", Machine.here(), staleness.toSeconds(),
            staleness.isZero() ? 0 : 1)
        + table
        + notes;
  }

  private static List<String> broken(SharedRow row) {
    return fault(row).map(row::broken).orElse(List.of("there is no such row any more"));
  }

  private static Optional<SharedFault> fault(SharedRow row) {
    return Arrays.stream(SharedFault.values()).filter(each -> each.name().equals(row.name())).findFirst();
  }

  private static String late(SharedRow row) {
    int late = row.count(SharedRow.LATE);
    return late == 0 ? row.counted(SharedRow.LATE) : late + ", up to " + row.millis().getOrDefault(SharedRow.LATEST, 0L) + " ms";
  }

  private static String served(SharedRow row) {
    return row.millis().containsKey(SharedRow.SERVED_LAST)
        ? row.millis().get(SharedRow.SERVED_HALF) + " ms, " + row.millis().get(SharedRow.SERVED_LAST) + " ms"
        : "";
  }

  private static String seconds(SharedRow row, String what) {
    return String.format(Locale.ROOT, "%.1f s", row.millis().getOrDefault(what, 0L) / 1000.0);
  }
}
