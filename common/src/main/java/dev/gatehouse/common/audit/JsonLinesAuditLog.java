package dev.gatehouse.common.audit;

import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.space.WriteProbe;
import dev.gatehouse.common.wait.BatchQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log as lines of JSON in {@code audit.jsonl}: time, event, realm, client, reference if there is one, and the event's own
 * fields. The file is rotated at a size; rotated files have the time in their names and are removed by age.
 *
 * <p>A caller that records an event writes its own line or finds it written by another one ({@link BatchQueue}). After a failure the next
 * event tries again, so the log recovers as soon as the file can be written.
 *
 * <p>Each line ends with its number and a chain (see {@link AuditLink}), which detects removed and changed lines; see {@link
 * AuditFiles}.
 */
public final class JsonLinesAuditLog implements AuditLog, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JsonLinesAuditLog.class);
  private static final int WRITTEN_AT_ONCE = 1000;

  /** A line that waits to be written. */
  private record Line(Instant time, byte[] json) {}

  private final InstantSource time;
  private final AuditFolder folder;
  private final AuditEnd end;
  private final AuditFile file;
  private final BatchQueue<Line> lines = new BatchQueue<>(WRITTEN_AT_ONCE, this::write);
  private final ReentrantLock forcing = new ReentrantLock();
  private boolean closed;
  private volatile String problem = "";
  private final Histogram writes = new Histogram();
  private final Histogram forces = new Histogram();
  private volatile Consumer<AuditEvent> observer = event -> {};
  private volatile BooleanSupplier relief = () -> false;
  private volatile Set<String> leftOut = Set.of();
  private volatile Step lastStep = () -> {};

  /** Creates a log without a record of its end: a cut-off end is not detected. */
  public JsonLinesAuditLog(Path directory, long maxFileBytes, Duration keep, InstantSource time) {
    this(directory, Optional.empty(), maxFileBytes, keep, time);
  }

  /**
   * Opens the log; creates the directory if it is missing.
   *
   * @param head file in the key folder for the record of the log's end
   * @param maxFileBytes the file is rotated before it exceeds this size
   * @param keep rotated files older than this are removed
   * @throws AuditUnavailable if the directory cannot be created
   */
  public JsonLinesAuditLog(
      Path directory, Optional<Path> head, long maxFileBytes, Duration keep, InstantSource time) {
    this.time = time;
    this.folder = new AuditFolder(directory);
    this.end = new AuditEnd(folder, head.map(AuditHead::new));
    this.file = new AuditFile(folder, end, maxFileBytes, keep);
    try {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new AuditUnavailable("Cannot make the audit log's directory " + directory, e);
    }
  }

  @Override
  public void record(AuditEvent event) {
    if (leftOut.contains(event.getClass().getSimpleName())) {
      observer.accept(event);
      return;
    }
    Instant now = time.instant();
    byte[] json = AuditLine.of(now, event);
    long begun = System.nanoTime();
    Optional<Throwable> failure = lines.handle(new Line(now, json));
    writes.record(System.nanoTime() - begun);
    if (failure.isPresent()) {
      throw new AuditUnavailable("The audit log cannot be written: " + failure.get(), failure.get());
    }
    observer.accept(event);
  }

  /** Sets the names of events that are not recorded; observers get them. */
  public void leaveOut(Set<String> events) {
    leftOut = Set.copyOf(events);
  }

  /** Adds what takes each event after it was recorded; it must neither throw nor wait for other machines. */
  public synchronized void observedBy(Consumer<AuditEvent> taker) {
    observer = observer.andThen(taker);
  }

  /** Adds the metrics of the log. */
  public void publish(MetricFamilies metrics) {
    HistogramFamily.builder("gatehouse.audit.duration")
        .description("Time until an event was recorded, and time to force events to disk")
        .tag("operation")
        .register(metrics)
        .with(writes, "record")
        .with(forces, "force");
    SampleFamily.builder("gatehouse.audit.queue")
        .description("Events that wait to be recorded")
        .gauge(() -> Map.of(List.of(), (double) lines.waiting()))
        .register(metrics);
  }

  /**
   * Sets what makes room on a full disk. A write that failed is repeated once if it made some, so that logouts and revocations are
   * recorded on a disk that has just filled up.
   *
   * @param makeRoom returns whether it made room
   */
  public void relievedBy(BooleanSupplier makeRoom) {
    relief = makeRoom;
  }

  /** Sets what is written before the log is closed. */
  void beforeClose(Step step) {
    lastStep = step;
  }

  /** Returns the number of the last event that was recorded. */
  public long written() throws IOException {
    return end().seq();
  }

  /** Returns the link of the last line. */
  AuditLink end() throws IOException {
    return lines.locked(end::last);
  }

  /** Removes a rotated file, the oldest, that is in the archive. */
  void removeArchived(Path file) throws IOException {
    lines.locked(
        () -> {
          end.removing(List.of(file));
          Files.deleteIfExists(file);
          return file;
        });
  }

  /** Returns why events cannot be recorded; empty if they can, as far as is known without recording one. */
  public Optional<String> problem() {
    if (!problem.isEmpty() && file.canBeOpened() && WriteProbe.problem(folder.directory()).isEmpty()) {
      problem = "";
    }
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }

  /** Forces recorded events to disk; others may record meanwhile. */
  @Override
  public void force() throws IOException {
    forcing.lock();
    try {
      Optional<AuditEnd.Unforced> unforced = lines.locked(() -> closed ? Optional.empty() : end.unforced(file.stream()));
      if (unforced.isPresent()) {
        long begun = System.nanoTime();
        unforced.get().force();
        forces.record(System.nanoTime() - begun);
        lines.locked(
            () -> {
              end.forced(unforced.get());
              return unforced;
            });
      }
    } finally {
      forcing.unlock();
    }
  }

  /** Closes the log; later events are refused, and no caller waits any more. */
  @Override
  public void close() {
    forcing.lock();
    try {
      runLastStep();
      force();
    } catch (IOException e) {
      LOG.warn("The audit log could not be forced to disk", e);
    } finally {
      try {
        closeFiles();
      } finally {
        forcing.unlock();
      }
    }
  }

  private void runLastStep() {
    Step step = lastStep;
    lastStep = () -> {};
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The end of the audit log could not be signed", e);
    }
  }

  private void closeFiles() {
    try {
      lines.locked(
          () -> {
            closed = true;
            file.close();
            end.close();
            return file;
          });
    } catch (IOException e) {
      LOG.warn("The audit log did not close in order", e);
    }
  }

  /** Writes a batch. Each waiting caller throws an exception of its own, with what is thrown here. */
  private void write(List<Line> batch) throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    try {
      append(batch);
    } catch (IOException | RuntimeException | Error e) {
      problem = String.valueOf(e.getMessage());
      throw e;
    }
    if (!problem.isEmpty()) {
      problem = "";
    }
  }

  private void append(List<Line> batch) throws IOException {
    AuditEnd.Lines linked = end.link(batch.stream().map(Line::json).toList());
    relieved(() -> file.append(linked.bytes(), batch.getLast().time()));
    relieved(() -> end.written(linked.last()));
  }

  /** Repeats a failed write once if room could be made. Each is repeated alone, so that no line is written twice. */
  private void relieved(Step write) throws IOException {
    try {
      write.run();
    } catch (IOException e) {
      if (!relief.getAsBoolean()) {
        throw e;
      }
      write.run();
    }
  }

  /** A step that writes. */
  interface Step {
    void run() throws IOException;
  }
}
