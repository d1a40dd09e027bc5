package dev.gatehouse.common.audit;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The result of a verification of the audit log.
 *
 * @param events number of events
 * @param unchained number of lines of a former version, which have no chain
 * @param bytes size of all lines, uncompressed
 * @param files number of files, those of the archive included
 * @param checkpoints number of checkpoints that match the events
 * @param newest what the newest of them covers
 * @param problems the first problems
 * @param unlisted number of further problems
 */
public record AuditReport(
    long events, long unchained, long bytes, int files, long checkpoints, Optional<Covered> newest, List<Problem> problems,
    long unlisted) {

  /** What a checkpoint covers: events up to that number. */
  public record Covered(long seq, Instant time) {}

  /**
   * Something that is wrong.
   *
   * @param line the number of the line, from 1; 0 for the file as a whole
   * @param what the end of a sentence that begins with the file and the line
   */
  public record Problem(Path file, long line, String what) {
    @Override
    public String toString() {
      return line == 0 ? file + ": " + what : file + ":" + line + ": " + what;
    }
  }

  /** Returns how many bytes an event takes on average. */
  public double bytesPerEvent() {
    long lines = events + unchained;
    return lines == 0 ? 0 : (double) bytes / lines;
  }
}
