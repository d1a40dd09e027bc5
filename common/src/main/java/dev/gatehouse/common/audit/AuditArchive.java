package dev.gatehouse.common.audit;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compresses rotated files of the audit log into another folder. A file is removed from the log only when its copy is on disk, was read
 * again and has its content and its final name; an interruption at any point loses nothing, and the next run goes on there.
 */
public final class AuditArchive implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditArchive.class);
  private static final Duration AGAIN = Duration.ofMinutes(1);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(10);
  private static final long PROGRESS_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int BUFFER = 1 << 16;

  /** A file is read once, and its copy twice: under its hidden and its final name. */
  private static final int STEPS = 3;
  private static final Set<StandardOpenOption> FRESH =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);

  private final JsonLinesAuditLog log;
  private final AuditFolder folder;
  private final Path to;
  private final Duration after;
  private final InstantSource time;
  private final ReentrantLock running = new ReentrantLock();
  private Instant due = Instant.MIN;
  private volatile boolean isClosed;

  /**
   * What a run has archived.
   *
   * @param bytes of the files before they were compressed
   */
  public record Archived(int files, long bytes) {}

  /**
   * Creates an archive.
   *
   * @param directory the audit log's directory
   * @param after rotated files older than this are archived
   */
  public AuditArchive(JsonLinesAuditLog log, Path directory, Path to, Duration after, InstantSource time) {
    this.log = log;
    this.folder = new AuditFolder(directory);
    this.to = to;
    this.after = after;
    this.time = time;
  }

  /** Archives the files that are old enough, if the last run is a minute ago, or ten minutes after a failure, which it logs. */
  public void archiveIfDue() {
    try {
      runIfDue();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Files of the audit log cannot be archived and stay; it is tried again in ten minutes: {}", e.toString());
    }
  }

  /** As {@link #archiveIfDue}, but throws what went wrong. */
  void runIfDue() throws IOException {
    Instant now = time.instant();
    if (!running.tryLock()) {
      return;
    }
    try {
      // No run is due later than that, unless the clock was set back since.
      if (now.isBefore(due) && !due.isAfter(now.plus(AFTER_FAILURE))) {
        return;
      }
      due = now.plus(AFTER_FAILURE);
      archive(now.minus(after), (done, all) -> {});
      due = now.plus(AGAIN);
    } finally {
      running.unlock();
    }
  }

  /**
   * Archives files now.
   *
   * @param before files that were rotated before this time; by default as configured
   * @param progress learns how many bytes of all were read; may throw to end the run at this step, which leaves no file half done
   * @return empty if a run is going on
   */
  public Optional<Archived> archiveNow(Optional<Instant> before, AuditVerification.Progress progress) throws IOException {
    if (!running.tryLock()) {
      return Optional.empty();
    }
    try {
      return Optional.of(archive(before.orElseGet(() -> time.instant().minus(after)), progress));
    } finally {
      running.unlock();
    }
  }

  /**
   * Returns the time of the first event of the oldest file that is due and not archived; empty if there is none.
   *
   * @param segments the files of the log
   */
  public Optional<Instant> unarchivedSince(AuditSegments segments) throws IOException {
    Instant before = time.instant().minus(after);
    Optional<Path> due = rotatedBefore(before).stream().findFirst();
    if (due.isEmpty()) {
      return Optional.empty();
    }
    return segments.all().stream().filter(segment -> segment.file().equals(due.get())).map(AuditSegments.Segment::begin).findFirst();
  }

  private List<Path> rotatedBefore(Instant before) throws IOException {
    return folder.rotatedBefore(before, time.instant());
  }

  /** From the oldest on, because the log must have no gap. */
  private Archived archive(Instant before, AuditVerification.Progress progress) throws IOException {
    List<Path> files = rotatedBefore(before);
    if (files.isEmpty()) {
      return new Archived(0, 0);
    }
    PrivateFiles.createFolder(to);
    Job job = new Job(files, progress);
    for (Path file : files) {
      if (isClosed || !archived(file, job)) {
        return job.archived();
      }
    }
    job.end();
    return job.archived();
  }

  /** Returns whether the file is archived, and removed from the log. */
  private boolean archived(Path file, Job job) throws IOException {
    Path target = to.resolve(file.getFileName() + AuditFolder.GZIP);
    byte[] content;
    long size;
    try {
      size = Files.size(file);
      content = Files.exists(target) ? digest(Files.newInputStream(file), job) : copied(file, target, job);
    } catch (NoSuchFileException e) {
      // It was removed because of its age.
      return !Files.exists(file);
    }
    if (isClosed) {
      return false;
    }
    if (!Arrays.equals(content, digest(MemberInput.open(target), job))) {
      throw new IOException(target + " is there already with another content: move it away, so that " + file + " can be archived");
    }
    log.removeArchived(file);
    job.fileDone(size);
    return true;
  }

  /** Returns the digest of the content; stops early, with any result, if the archive is closed. */
  private byte[] copied(Path file, Path target, Job job) throws IOException {
    Path fresh = to.resolve("." + target.getFileName() + ".new");
    try {
      return copied(file, fresh, target, job);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
  }

  private byte[] copied(Path file, Path fresh, Path target, Job job) throws IOException {
    MessageDigest digest = Sha256.instance();
    try (FileChannel channel =
        FileChannel.open(fresh, FRESH, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      try (InputStream in = Files.newInputStream(file)) {
        MemberOutput out = new MemberOutput(Channels.newOutputStream(channel));
        copy(in, out, digest, job);
        out.finish();
      }
      channel.force(true);
    }
    byte[] content = digest.digest();
    if (isClosed) {
      Files.deleteIfExists(fresh);
      return content;
    }
    if (!Arrays.equals(content, digest(MemberInput.open(fresh), job))) {
      throw new IOException("The copy of " + file + " in " + to + " has another content when it is read again");
    }
    Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    PrivateFiles.force(to);
    return content;
  }

  private byte[] digest(InputStream opened, Job job) throws IOException {
    MessageDigest digest = Sha256.instance();
    try (InputStream in = opened) {
      copy(in, OutputStream.nullOutputStream(), digest, job);
    }
    return digest.digest();
  }

  private void copy(InputStream in, OutputStream out, MessageDigest digest, Job job) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int read = in.read(buffer); read >= 0 && !isClosed; read = in.read(buffer)) {
      digest.update(buffer, 0, read);
      out.write(buffer, 0, read);
      job.progress(read);
    }
  }

  /** Ends a run at its next step. */
  @Override
  public void close() {
    isClosed = true;
  }

  /** One run. */
  private final class Job {
    private final int files;
    private final long bytes;
    private final long started = System.nanoTime();
    private long shown = started;
    private final AuditVerification.Progress progress;
    private int filesDone;
    private long bytesDone;
    private long bytesRead;

    Job(List<Path> all, AuditVerification.Progress progress) throws IOException {
      this.files = all.size();
      this.progress = progress;
      long sum = 0;
      for (Path file : all) {
        sum += Files.exists(file) ? Files.size(file) : 0;
      }
      this.bytes = sum;
      LOG.info("Archiving {} file(s) of the audit log with {} MB to {}", files, bytes >> 20, to);
    }

    void progress(int read) {
      bytesRead += read;
      progress.at(Math.min(bytesRead, STEPS * bytes), STEPS * bytes);
      long now = System.nanoTime();
      if (now - shown >= PROGRESS_NANOS) {
        shown = now;
        LOG.info("Archiving the audit log: {} of {} file(s) done", filesDone, files);
      }
    }

    void fileDone(long size) {
      filesDone++;
      bytesDone += size;
      bytesRead = STEPS * bytesDone;
    }

    Archived archived() {
      return new Archived(filesDone, bytesDone);
    }

    void end() {
      LOG.info("Archived {} file(s) of the audit log with {} MB in {} s", files, bytes >> 20, (System.nanoTime() - started) / 1_000_000_000);
    }
  }
}
