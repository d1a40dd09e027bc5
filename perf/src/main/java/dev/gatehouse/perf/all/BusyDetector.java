package dev.gatehouse.perf.all;

import dev.gatehouse.perf.all.Ticks.Process;
import dev.gatehouse.perf.report.Busy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches whether others use the machine while a row runs. What belongs to the row has a mark in its environment, or a parent that does:
 * servers that leave their parent keep the mark. All other CPU time is that of others, also of processes too short to be seen.
 */
final class BusyDetector {

  private final Path proc;
  private final long self;
  private final String mark;
  private final int cores;

  /** The processes of the row, as they were seen last. */
  private final Map<Long, Process> ours = new HashMap<>();

  /** Processes that do not belong to it, so that their environment is read once. */
  private final Map<Long, Process> strangers = new HashMap<>();

  private final Ticks first;
  private final long oursAtFirst;

  /** Time of processes of the row that have ended without a parent of the row that waited for them. */
  private long lost;

  private Ticks last;
  private long oursAtLast;
  private double worst;

  /**
   * Begins.
   *
   * @param self the process that starts the row; its own time is the row's
   * @param mark an entry of the row's environment
   */
  BusyDetector(Path proc, long self, String mark, int cores) throws IOException {
    this.proc = proc;
    this.self = self;
    this.mark = mark;
    this.cores = cores;
    this.first = Ticks.read(proc);
    this.oursAtFirst = oursNow(first);
    this.last = first;
    this.oursAtLast = oursAtFirst;
  }

  /** Looks again; what happened since the last look counts for the worst interval. */
  void look() throws IOException {
    Ticks now = Ticks.read(proc);
    long oursNow = oursNow(now);
    if (now.total() > last.total()) {
      worst = Math.max(worst, share(last, now, oursNow - oursAtLast));
    }
    last = now;
    oursAtLast = oursNow;
  }

  /** The verdict up to the last look. */
  Busy verdict(double seconds) {
    double total = Math.max(1, last.total() - first.total());
    return Busy.of(
        seconds, cores, (last.steal() - first.steal()) / total, share(first, last, oursAtLast - oursAtFirst), worst);
  }

  /** Processes of the row that have not ended. */
  List<Long> left() {
    return ours.keySet().stream().filter(id -> id != self && last.processes().containsKey(id)).sorted().toList();
  }

  private static double share(Ticks from, Ticks to, long oursBetween) {
    double total = Math.max(1, to.total() - from.total());
    return Math.max(0, (to.busy() - from.busy() - oursBetween - (kernel(to) - kernel(from))) / total);
  }

  private static long kernel(Ticks at) {
    return at.processes().values().stream().filter(Process::isKernel).mapToLong(Process::own).sum();
  }

  private long oursNow(Ticks now) {
    for (Process former : new ArrayList<>(ours.values())) {
      Process present = now.processes().get(former.id());
      if (present == null || !present.isSame(former)) {
        ours.remove(former.id());
        if (!ours.containsKey(former.parent())) {
          lost += former.own() + former.ended();
        }
      }
    }
    boolean isNew = true;
    while (isNew) {
      isNew = false;
      for (Process each : now.processes().values()) {
        if (!ours.containsKey(each.id()) && belongs(each)) {
          ours.put(each.id(), each);
          isNew = true;
        }
      }
    }
    long sum = lost;
    for (Long id : List.copyOf(ours.keySet())) {
      Process present = now.processes().get(id);
      if (present != null) {
        ours.put(id, present);
        sum += present.own() + present.ended();
      }
    }
    return sum;
  }

  private boolean belongs(Process each) {
    if (each.id() == self || ours.containsKey(each.parent())) {
      return true;
    }
    Process known = strangers.get(each.id());
    if (known != null && known.isSame(each)) {
      return false;
    }
    boolean isMarked = !each.isKernel() && isMarked(each.id());
    if (!isMarked) {
      strangers.put(each.id(), each);
    }
    return isMarked;
  }

  private boolean isMarked(long id) {
    try {
      String environment = Files.readString(proc.resolve(Long.toString(id)).resolve("environ"), StandardCharsets.ISO_8859_1);
      return List.of(environment.split("\0")).contains(mark);
    } catch (IOException e) {
      // Ended, or somebody else's.
      return false;
    }
  }
}
