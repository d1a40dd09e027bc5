package dev.gatehouse.common.audit;

import dev.gatehouse.common.crypto.SigningKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Writes a checkpoint of the audit log each minute in which there were events, and when the log is closed: into the folder {@code
 * checkpoints} and into the log itself. The chain has no key, but a checkpoint has: who changes events that a checkpoint covers, and
 * calculates the chain anew, contradicts the checkpoint. A copy that is kept elsewhere also reveals events that were cut off.
 */
public final class AuditCheckpoints {

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** A checkpoint that is not yet both in its file and in the log. */
  private record Begun(AuditLink link, String text, boolean isInFile) {}

  private final JsonLinesAuditLog log;
  private final CheckpointFiles files;
  private final SigningKey key;
  private final String node;
  private final Duration keep;
  private final InstantSource time;
  private Instant due;
  private long covered;
  private Optional<Begun> begun = Optional.empty();

  /**
   * Creates a writer; the first checkpoint is due after a minute.
   *
   * @param directory the audit log's directory
   * @param node the installation and the number of the node, for the checkpoints
   * @param keep files of checkpoints older than this are removed
   */
  public AuditCheckpoints(
      JsonLinesAuditLog log, Path directory, SigningKey key, String node, Duration keep, InstantSource time) {
    this.log = log;
    this.files = new CheckpointFiles(directory);
    this.key = key;
    this.node = node;
    this.keep = keep;
    this.time = time;
    this.due = time.instant().plus(INTERVAL);
    log.beforeClose(this::write);
  }

  /** Writes a checkpoint if the last one is a minute old, or was signed before the clock was set back, and there were events since. */
  public synchronized void writeIfDue() throws IOException {
    Instant now = time.instant();
    if (!now.isBefore(due) || due.isAfter(now.plus(INTERVAL))) {
      write();
    }
  }

  /** Writes a checkpoint if there were events since the last one. */
  synchronized void write() throws IOException {
    Instant now = time.instant();
    AuditLink end = log.end();
    // The last checkpoint is itself the event after those that it covers.
    if (begun.isEmpty() && end.seq() > covered + 1) {
      begun = Optional.of(new Begun(end, Checkpoint.sign(key, end, node, now), false));
    }
    if (begun.isPresent()) {
      finish(begun.get(), now);
    }
    due = now.plus(INTERVAL);
  }

  /** Each step is repeated alone after a failure, so that no checkpoint is written twice. */
  private void finish(Begun checkpoint, Instant now) throws IOException {
    if (!checkpoint.isInFile()) {
      files.append(checkpoint.text(), now);
      begun = Optional.of(new Begun(checkpoint.link(), checkpoint.text(), true));
      files.removeEndedBefore(now.minus(keep));
    }
    log.record(new AuditEvent.CheckpointSigned(AuditEvent.Context.node(), checkpoint.link().seq(), checkpoint.text()));
    covered = checkpoint.link().seq();
    begun = Optional.empty();
  }
}
