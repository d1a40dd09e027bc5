package dev.gatehouse.common.audit;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code audit.jsonl} and its rotated predecessors. Used by one thread at a time. It is written through a stream and not through
 * a channel, because an interrupt of the writing thread would close a channel.
 */
final class AuditFile implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);
  private static final Set<StandardOpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Duration PRUNE_AGAIN = Duration.ofHours(1);

  /** The time for which a file that was moved away is still written. Each check is a system call, 2 % of a client credentials token. */
  private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(100).toNanos();

  /** @param fileKey device and inode, as an object for comparison */
  private record Open(FileOutputStream stream, Object fileKey) {}

  /** Lines of a failed write that could not be removed. */
  private record CutTo(Object fileKey, long size) {}

  private final AuditFolder folder;
  private final Path file;
  private final AuditEnd end;
  private final long maxBytes;
  private final Duration keep;
  private @Nullable Open open;
  private long lookedAt;
  private long size;
  private Instant pruneAt = Instant.MIN;
  private Optional<CutTo> cutTo = Optional.empty();

  AuditFile(AuditFolder folder, AuditEnd end, long maxBytes, Duration keep) {
    this.folder = folder;
    this.file = folder.current();
    this.end = end;
    this.maxBytes = maxBytes;
    this.keep = keep;
  }

  /** Passes all lines to the operating system, or throws and leaves the file unchanged as far as possible. */
  void append(byte[] lines, Instant now) throws IOException {
    FileOutputStream stream = current();
    if (size > 0 && size + lines.length > maxBytes) {
      rotate(now);
      stream = current();
    }
    prune(now);
    try {
      stream.write(lines);
      size += lines.length;
    } catch (IOException e) {
      undo(stream, size);
      throw e;
    }
  }

  /** Returns the open stream. */
  Optional<FileOutputStream> stream() {
    return Optional.ofNullable(open).map(Open::stream);
  }

  /** Returns whether the file can be written, or can be created if it does not exist. */
  boolean canBeOpened() {
    return Files.isRegularFile(file) ? Files.isWritable(file) : !Files.exists(file) && Files.isWritable(folder.directory());
  }

  @Override
  public void close() {
    Open was = open;
    open = null;
    if (was == null) {
      return;
    }
    try {
      was.stream().close();
    } catch (IOException e) {
      LOG.warn("The audit file did not close in order", e);
    }
  }

  /** Stops writing to the present file; the next line opens another. */
  private void leave() throws IOException {
    Open was = open;
    open = null;
    if (was != null) {
      end.leave(was.stream());
    }
  }

  /** Returns the file that has the name: if ours was removed, lines written to it would be lost. */
  private FileOutputStream current() throws IOException {
    Open held = open;
    long now = System.nanoTime();
    if (held != null && now - lookedAt < LOOK_AGAIN_NANOS) {
      return held.stream();
    }
    lookedAt = now;
    if (held != null && held.fileKey().equals(fileKey())) {
      return held.stream();
    }
    leave();
    // The channel creates the file with its permissions; the stream alone would make it readable for others.
    FileChannel.open(file, APPEND, OWNERS).close();
    FileOutputStream stream = new FileOutputStream(file.toFile(), true);
    open = new Open(stream, fileKey());
    cutUnfinished(stream);
    size = stream.getChannel().size();
    return stream;
  }

  /** Removes a partly written line, of ours or of a process that was killed; its write was never acknowledged. */
  private void cutUnfinished(FileOutputStream stream) throws IOException {
    if (!Files.isRegularFile(file)) {
      return;
    }
    if (cutTo.filter(cut -> cut.fileKey().equals(fileKey())).isPresent()) {
      stream.getChannel().truncate(cutTo.get().size());
    }
    cutTo = Optional.empty();
    for (int unfinished = AuditFolder.unfinished(file); unfinished > 0; unfinished = AuditFolder.unfinished(file)) {
      stream.getChannel().truncate(stream.getChannel().size() - unfinished);
    }
  }

  /** Returns the file's identity; empty if there is no such file. */
  private Object fileKey() {
    try {
      return Objects.requireNonNullElse(Files.readAttributes(file, BasicFileAttributes.class).fileKey(), "");
    } catch (IOException e) {
      return "";
    }
  }

  private void undo(FileOutputStream stream, long before) {
    try {
      stream.getChannel().truncate(before);
    } catch (IOException e) {
      LOG.warn("A line that was cut off stays in the audit file until it can be written again", e);
      cutTo = Optional.ofNullable(open).map(was -> new CutTo(was.fileKey(), before));
    }
    close();
  }

  private void rotate(Instant now) throws IOException {
    Path rotated = folder.rotated(now);
    leave();
    Files.move(file, rotated, StandardCopyOption.ATOMIC_MOVE);
    pruneAt = now;
  }

  private void prune(Instant now) {
    if (now.isBefore(pruneAt)) {
      return;
    }
    pruneAt = now.plus(PRUNE_AGAIN);
    try {
      List<Path> over = folder.rotatedBefore(now.minus(keep), now);
      end.removing(over);
      for (Path old : over) {
        Files.deleteIfExists(old);
      }
    } catch (IOException e) {
      LOG.warn("Old audit files were not removed", e);
    }
  }
}
