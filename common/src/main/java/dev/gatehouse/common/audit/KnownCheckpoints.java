package dev.gatehouse.common.audit;

import dev.gatehouse.common.audit.AuditReport.Covered;
import dev.gatehouse.common.jose.PublicKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints beside the log and those kept elsewhere, compared with the events; and those in the log itself. A checkpoint counts only
 * if one of the known keys signed it.
 */
final class KnownCheckpoints {

  private static final byte[] EVENT = "\"event\":\"CheckpointSigned\"".getBytes(StandardCharsets.US_ASCII);

  /** The length of {@code {"time":"2026-01-01T12:00:00.000Z",} before the event's name. */
  private static final int EVENT_AT = 35;

  /** More events than are written while a checkpoint is signed. */
  private static final int RECENT = 1 << 14;

  private static final String FIELD = "\"checkpoint\":\"";

  /** A checkpoint of a file that was not compared with its event yet. */
  private record Expected(Path file, long line, Checkpoint checkpoint) {}

  private final PublicKeys keys;
  private final FoundProblems problems;
  private final Map<Long, Expected> expected = new HashMap<>();

  /** The newest events: a checkpoint in the log covers one of them. */
  private final @Nullable AuditLink[] recent = new AuditLink[RECENT];

  private long firstSeq;
  private long matching;
  private Optional<Covered> newest = Optional.empty();

  KnownCheckpoints(PublicKeys keys, FoundProblems problems) {
    this.keys = keys;
    this.problems = problems;
  }

  /** Reads a file with one checkpoint a line, or an audit file, whose events of checkpoints count. */
  void add(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    for (int i = 0; i < lines.size(); i++) {
      Optional<String> text = lines.get(i).startsWith("{") ? inLog(lines.get(i)) : Optional.of(lines.get(i));
      if (text.isPresent() && !text.get().isBlank()) {
        add(file, i + 1, text.get().strip());
      }
    }
  }

  private void add(Path file, long line, String text) {
    signed(file, line, text)
        .ifPresent(
            checkpoint -> {
              Expected other = expected.putIfAbsent(checkpoint.link().seq(), new Expected(file, line, checkpoint));
              if (other != null && !other.checkpoint().link().isSame(checkpoint.link())) {
                problems.add(
                    file, line, "this checkpoint of event " + checkpoint.link().seq() + " contradicts " + other.file() + ":" + other.line());
              }
            });
  }

  private Optional<Checkpoint> signed(Path file, long line, String text) {
    Optional<Checkpoint> checkpoint = Checkpoint.read(text);
    if (checkpoint.isEmpty()) {
      problems.add(file, line, "this is no checkpoint");
    } else if (!keys.verify(checkpoint.get().jws())) {
      problems.add(
          file,
          line,
          "this checkpoint is not signed by the node's key (it names key " + checkpoint.get().jws().keyId().orElse("-")
              + "): give former keys by --keys");
      return Optional.empty();
    }
    return checkpoint;
  }

  /** Compares a line of the log. */
  void line(Path file, long line, byte[] bytes, int from, int to, AuditLink link) {
    if (firstSeq == 0) {
      firstSeq = link.seq();
    }
    Expected here = expected.remove(link.seq());
    if (here != null) {
      compare(here.checkpoint(), link, file, line, " in " + here.file() + ":" + here.line());
    }
    boolean isCheckpoint =
        from + EVENT_AT + EVENT.length < to
            && Arrays.equals(EVENT, 0, EVENT.length, bytes, from + EVENT_AT, from + EVENT_AT + EVENT.length);
    if (isCheckpoint) {
      inLog(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1))
          .flatMap(text -> signed(file, line, text))
          .ifPresent(checkpoint -> compareRecent(checkpoint, file, line));
    }
    recent[(int) (link.seq() % RECENT)] = link;
  }

  private void compareRecent(Checkpoint checkpoint, Path file, long line) {
    AuditLink found = recent[(int) (checkpoint.link().seq() % RECENT)];
    if (found != null && found.seq() == checkpoint.link().seq()) {
      compare(checkpoint, found, file, line, " in this line");
    }
  }

  private void compare(Checkpoint checkpoint, AuditLink found, Path file, long line, String where) {
    if (checkpoint.link().isSame(found)) {
      matching++;
      if (newest.filter(covered -> covered.seq() >= found.seq()).isEmpty()) {
        newest = Optional.of(new Covered(found.seq(), checkpoint.time()));
      }
    } else {
      problems.add(
          file,
          line,
          "event " + found.seq() + ", or one before it, was changed: it contradicts the checkpoint of " + checkpoint.time() + where);
    }
  }

  private static Optional<String> inLog(String line) {
    int begin = line.indexOf(FIELD);
    if (begin < 0) {
      return Optional.empty();
    }
    int end = line.indexOf('"', begin + FIELD.length());
    return end < 0 ? Optional.empty() : Optional.of(line.substring(begin + FIELD.length(), end));
  }

  /** Reports the newest checkpoint of events that the log does not have; older ones than the log begins with are no problem. */
  void end(Path current, long lastSeq) {
    long begin = firstSeq;
    expected.values().stream()
        .filter(missing -> missing.checkpoint().link().seq() > lastSeq)
        .max((a, b) -> Long.compare(a.checkpoint().link().seq(), b.checkpoint().link().seq()))
        .ifPresent(
            missing ->
                problems.add(
                    current,
                    0,
                    "the log was cut off: it ends with event " + lastSeq + ", but the checkpoint of " + missing.checkpoint().time() + " in "
                        + missing.file() + ":" + missing.line() + " covers event " + missing.checkpoint().link().seq()));
    expected.values().stream()
        .filter(missing -> missing.checkpoint().link().seq() <= lastSeq && missing.checkpoint().link().seq() >= begin)
        .sorted((a, b) -> Long.compare(a.checkpoint().link().seq(), b.checkpoint().link().seq()))
        .forEach(missing -> problems.add(missing.file(), missing.line(), "the log has no event " + missing.checkpoint().link().seq()));
  }

  long matching() {
    return matching;
  }

  Optional<Covered> newest() {
    return newest;
  }
}
