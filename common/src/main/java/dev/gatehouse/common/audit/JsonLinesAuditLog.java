package dev.gatehouse.common.audit;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The audit log as lines of JSON in {@code audit.jsonl}: time, event, realm, client, reference where there is one, and the
 * event's own fields. The file is rotated at a size; rotated ones carry the time in their name and are removed by age.
 *
 * <p>One thread writes what all others wait for: records that come together cost one write. After a failure the next
 * record tries again, so it recovers as soon as the file can be written.
 */
public final class JsonLinesAuditLog implements AuditLog, AutoCloseable {

  private static final int WRITTEN_AT_ONCE = 1000;

  /** @param done completed when the operating system has the line */
  private record Line(Instant time, byte[] json, CompletableFuture<Boolean> done) {}

  private final InstantSource time;
  private final AuditFile file;
  private final LinkedBlockingQueue<Line> lines = new LinkedBlockingQueue<>();
  private final Thread writer;
  private volatile boolean closed;

  /**
   * Makes the directory where it is missing.
   *
   * @param maxFileBytes the file is rotated before it grows beyond
   * @param keep rotated files older than this are removed
   * @throws AuditUnavailable where the directory cannot be made
   */
  public JsonLinesAuditLog(Path directory, long maxFileBytes, Duration keep, InstantSource time) {
    this.time = time;
    this.file = new AuditFile(directory, maxFileBytes, keep);
    try {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new AuditUnavailable("Cannot make the audit log's directory " + directory, e);
    }
    this.writer = Thread.ofPlatform().name("gatehouse-audit").daemon().start(this::write);
  }

  @Override
  public void record(AuditEvent event) {
    Instant now = time.instant();
    Line line = new Line(now, AuditLine.of(now, event), new CompletableFuture<>());
    lines.add(line);
    if (closed && lines.remove(line)) {
      throw new AuditUnavailable("The audit log is closed", new IOException("closed"));
    }
    try {
      line.done().join();
    } catch (CompletionException e) {
      throw new AuditUnavailable("The audit log cannot be written: " + e.getCause(), e);
    }
  }

  /** Writes what was recorded until now and closes the file. */
  @Override
  public void close() {
    closed = true;
    // Wakes the writer. An interrupt would close the file under its hands.
    lines.add(new Line(time.instant(), new byte[0], new CompletableFuture<>()));
    try {
      writer.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    List<Line> batch = new ArrayList<>();
    while (!closed) {
      try {
        batch.add(lines.take());
      } catch (InterruptedException e) {
        // Nobody knows this thread to interrupt it.
        continue;
      }
      lines.drainTo(batch, WRITTEN_AT_ONCE - 1);
      write(batch);
      batch.clear();
    }
    lines.drainTo(batch);
    write(batch);
    file.close();
  }

  private void write(List<Line> batch) {
    if (batch.isEmpty()) {
      return;
    }
    // Whatever happens, nobody waits for ever: the thread outlives a lack of memory, too.
    try {
      int bytes = batch.stream().mapToInt(line -> line.json().length).sum();
      ByteBuffer joined = ByteBuffer.allocate(bytes);
      batch.forEach(line -> joined.put(line.json()));
      file.append(joined.flip(), batch.getLast().time());
      batch.forEach(line -> line.done().complete(true));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      batch.forEach(line -> line.done().completeExceptionally(e));
    }
  }
}
