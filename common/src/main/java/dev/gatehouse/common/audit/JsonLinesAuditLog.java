package dev.gatehouse.common.audit;

import dev.gatehouse.common.space.WriteProbe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The audit log as lines of JSON in {@code audit.jsonl}: time, event, realm, client, reference where there is one, and the
 * event's own fields. The file is rotated at a size; rotated ones carry the time in their name and are removed by age.
 *
 * <p>Whoever records writes, and with the own line all others that wait by then: records that come together cost one write,
 * and one that comes alone wakes no other thread. After a failure the next record tries again, so it recovers as soon as the
 * file can be written.
 */
public final class JsonLinesAuditLog implements AuditLog, AutoCloseable {

  private static final int WRITTEN_AT_ONCE = 1000;

  /** A line that waits to be written. Its outcome is set and read under the lock. */
  private static final class Line {
    private final Instant time;
    private final byte[] json;
    private boolean settled;
    private @Nullable Throwable failure;

    Line(Instant time, byte[] json) {
      this.time = time;
      this.json = json;
    }

    void settle(@Nullable Throwable outcome) {
      failure = outcome;
      settled = true;
    }
  }

  private final InstantSource time;
  private final AuditFile file;
  private final ConcurrentLinkedQueue<Line> lines = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();
  private final Path directory;
  private boolean closed;
  private volatile String problem = "";

  /**
   * Makes the directory where it is missing.
   *
   * @param maxFileBytes the file is rotated before it grows beyond
   * @param keep rotated files older than this are removed
   * @throws AuditUnavailable where the directory cannot be made
   */
  public JsonLinesAuditLog(Path directory, long maxFileBytes, Duration keep, InstantSource time) {
    this.time = time;
    this.directory = directory;
    this.file = new AuditFile(directory, maxFileBytes, keep);
    try {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new AuditUnavailable("Cannot make the audit log's directory " + directory, e);
    }
  }

  @Override
  public void record(AuditEvent event) {
    Instant now = time.instant();
    Line line = new Line(now, AuditLine.of(now, event));
    lines.add(line);
    writing.lock();
    try {
      while (!line.settled) {
        writeWaiting();
      }
      if (line.failure != null) {
        throw new AuditUnavailable("The audit log cannot be written: " + line.failure, line.failure);
      }
    } finally {
      writing.unlock();
    }
  }

  /** Why events cannot be recorded; empty where they can, as far as is known without recording one. */
  public Optional<String> problem() {
    if (!problem.isEmpty() && file.canBeOpened() && WriteProbe.problem(directory).isEmpty()) {
      problem = "";
    }
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }

  /** Whoever records later is refused; nobody waits any more. */
  @Override
  public void close() {
    writing.lock();
    try {
      closed = true;
      file.close();
    } finally {
      writing.unlock();
    }
  }

  private void writeWaiting() {
    List<Line> batch = new ArrayList<>();
    for (Line line = lines.poll(); line != null; line = lines.poll()) {
      batch.add(line);
      if (batch.size() == WRITTEN_AT_ONCE) {
        break;
      }
    }
    Throwable failure = write(batch);
    batch.forEach(line -> line.settle(failure));
  }

  /** What went wrong, or null: each of those who wait throws an exception of its own. */
  private @Nullable Throwable write(List<Line> batch) {
    if (closed) {
      return new IOException("closed");
    }
    try {
      int bytes = batch.stream().mapToInt(line -> line.json.length).sum();
      ByteBuffer joined = ByteBuffer.allocate(bytes);
      batch.forEach(line -> joined.put(line.json));
      file.append(joined.array(), batch.getLast().time);
      if (!problem.isEmpty()) {
        problem = "";
      }
      return null;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      problem = String.valueOf(e.getMessage());
      return e;
    }
  }
}
