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
      } else if (row.facts().isEmpty()) {
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
    return "# faults of shared stores" + (staleness.isZero() ? "" : ", with the defaults") + "\n\n`./gatehouse bench faults shared"
        + (staleness.isZero() ? "" : " --defaults") + "`; " + Machine.here()
        + ". Two nodes behind HAProxy, which\nchanges the node at every request; PostgreSQL with a synchronous standby; Valkey with two"
        + " replicas and three Sentinels, or without where\n\"nobody promotes\" (`acknowledge: replica`, `staleness: "
        + staleness.toSeconds() + "s`, `min-replicas-to-write " + (staleness.isZero() ? 0 : 1)
        + "`). The load and the servers share the machine. Eight kinds of\nfacts: sessions, logouts, revocations, codes used, refresh tokens"
        + " rotated, consents, registrations, replay marks; with slapd also passwords that\nwere changed there. A gap is the longest time"
        + " between two successes of one client that asks for a page, or of three that do other work. Late is a\nsession that a node"
        + " accepted, asked past the balancer after its end, within the time that a node may go by its memory (1 s; where it can be"
        + " cut\noff, 2 s and `staleness`), with the longest time after the end; later ones are wrongly accepted. Unanswered are facts that"
        + " nobody answered for\nafter the fault; unexpected are errors, such as 500, and refusals of what was granted. Kept is a row with"
        + " none of these, nothing lost or wrongly\naccepted, no request that failed a minute after the fault, and gaps of 2 s at most"
        + " where only a node fails, 20 s where a store is slow for 10 s,\nand 10 s elsewhere. Configurations: half of them, and the last"
        + " one, since the acknowledgement, the repair or the readiness of the node\n([decision 557](../../docs/decisions/"
        + "0557-ended-sessions-are-tried-at-each-node.md)).\n\n"
        + table
        + notes;
  }

  private static List<String> broken(SharedRow row) {
    Optional<SharedFault> fault = Arrays.stream(SharedFault.values()).filter(each -> each.name().equals(row.name())).findFirst();
    return fault.map(each -> row.broken(each.mostGap(), each.servedWithin())).orElse(List.of("there is no such row any more"));
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
