package dev.gatehouse.common.audit;

import dev.gatehouse.common.crypto.Sha256;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares each line with the one before and goes on after a problem, so that a verification names all of them: removed, changed, added
 * and moved events.
 */
final class LineOrder {

  /** Ranges of missing events that are remembered, so that moved ones are recognised. */
  private static final int MOST_GAPS = 10_000;

  /** A gap before a line: its last event, and where it was seen. */
  private record Gap(long last, Path file, long line) {}

  private final FoundProblems problems;
  private final MessageDigest digest = Sha256.instance();
  private final TreeMap<Long, Gap> gaps = new TreeMap<>();
  private final Optional<AuditLink> begin;
  private Optional<AuditLink> last = Optional.empty();

  /** The number of lines after the last event that are no events. */
  private long damaged;

  private long events;
  private long unchained;

  /** @param begin the line before the oldest that must be there; empty if it is unknown */
  LineOrder(Optional<AuditLink> begin, FoundProblems problems) {
    this.begin = begin;
    this.problems = problems;
  }

  /** Returns the line's own number and chain if it has them. */
  Optional<AuditLink> line(Path file, long line, byte[] bytes, int from, int to) {
    Optional<AuditLink> said = AuditLink.of(bytes, from, to);
    if (said.isEmpty()) {
      noEvent(file, line);
      return said;
    }
    long seq = said.get().seq();
    if (events == 0) {
      // Older events may be there still, in the archive or because they are about to be removed.
      last = begin.filter(link -> link.seq() < seq);
    }
    long before = last.map(AuditLink::seq).orElse(seq - 1);
    events++;
    if (seq <= before) {
      outOfOrder(file, line, seq, before);
      return said;
    }
    if (seq != before + 1) {
      gap(file, line, before + 1, seq - 1);
    } else if (damaged > 0) {
      problems.add(file, line, "before event " + seq + ", " + damaged + " line(s) were added that are no events");
    } else if (last.isPresent() && !last.get().isFollowedBy(said.get(), bytes, from, to, digest)) {
      problems.add(file, line, "event " + seq + " was changed, or the event before it was and its chain was calculated anew");
    }
    damaged = 0;
    last = said;
    return said;
  }

  private void noEvent(Path file, long line) {
    if (events == 0 && begin.filter(link -> link.seq() > 0).isEmpty()) {
      unchained++;
      return;
    }
    damaged++;
    problems.add(file, line, "a line after event " + lastSeq() + " is damaged or was added: it has no number and chain");
  }

  private void outOfOrder(Path file, long line, long seq, long before) {
    Map.Entry<Long, Gap> gap = gaps.floorEntry(seq);
    if (gap == null || seq > gap.getValue().last()) {
      problems.add(file, line, "event " + seq + " was added after event " + before + ": it is there already");
      return;
    }
    problems.add(file, line, "event " + seq + " was moved: it stands after event " + before);
    gaps.remove(gap.getKey());
    remember(gap.getKey(), new Gap(seq - 1, gap.getValue().file(), gap.getValue().line()));
    remember(seq + 1, gap.getValue());
  }

  private void gap(Path file, long line, long from, long to) {
    // A damaged line that took the place of one event has been reported itself.
    if (damaged == 0 || to - from + 1 != damaged) {
      remember(from, new Gap(to, file, line));
    }
  }

  private void remember(long from, Gap gap) {
    if (from <= gap.last() && gaps.size() < MOST_GAPS) {
      gaps.put(from, gap);
    }
  }

  /** Reports the events that were not found anywhere. */
  void end() {
    gaps.forEach(
        (from, gap) ->
            problems.add(
                gap.file(),
                gap.line(),
                (from == gap.last() ? "event " + from + " was" : "events " + from + " to " + gap.last() + " were")
                    + " removed before this line"));
  }

  /** Returns the number of the last event in order; 0 if there is none. */
  long lastSeq() {
    return last.or(() -> begin).map(AuditLink::seq).orElse(0L);
  }

  long events() {
    return events;
  }

  long unchained() {
    return unchained;
  }
}
