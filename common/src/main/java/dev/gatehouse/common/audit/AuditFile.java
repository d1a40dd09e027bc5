package dev.gatehouse.common.audit;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code audit.jsonl} and those it was before. Used by one thread at a time. Written through a stream and not through
 * a channel, which an interrupt of whoever writes would close.
 */
final class AuditFile implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);
  private static final String PREFIX = "audit-";
  private static final String SUFFIX = ".jsonl";
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Set<StandardOpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Duration PRUNE_AGAIN = Duration.ofHours(1);

  private record Open(FileOutputStream stream, String fileKey) {}

  private final Path directory;
  private final Path file;
  private final long maxBytes;
  private final Duration keep;
  private @Nullable Open open;
  private long size;
  private Instant pruneAt = Instant.MIN;

  AuditFile(Path directory, long maxBytes, Duration keep) {
    this.directory = directory;
    this.file = directory.resolve("audit" + SUFFIX);
    this.maxBytes = maxBytes;
    this.keep = keep;
  }

  /** Hands all of it to the operating system, or throws and leaves the file as it was, as far as it can. */
  void append(byte[] lines, Instant now) throws IOException {
    FileOutputStream stream = stream();
    if (size > 0 && size + lines.length > maxBytes) {
      rotate(now);
      stream = stream();
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

  /** Whether the file is there and may be written, or may be made. */
  boolean canBeOpened() {
    return Files.isRegularFile(file) ? Files.isWritable(file) : !Files.exists(file) && Files.isWritable(directory);
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

  /** The file that has the name now: who removed or moved the one we held does not make us write into nowhere. */
  private FileOutputStream stream() throws IOException {
    Open held = open;
    if (held != null && held.fileKey().equals(fileKey())) {
      return held.stream();
    }
    close();
    // Made with its permissions; the stream alone would make it readable for others.
    FileChannel.open(file, APPEND, OWNERS).close();
    FileOutputStream stream = new FileOutputStream(file.toFile(), true);
    open = new Open(stream, fileKey());
    size = stream.getChannel().size();
    return stream;
  }

  /** Empty where there is no such file. */
  private String fileKey() {
    try {
      return String.valueOf(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      return "";
    }
  }

  private void undo(FileOutputStream stream, long before) {
    try {
      stream.getChannel().truncate(before);
    } catch (IOException e) {
      LOG.warn("A line that was cut off stays in the audit file", e);
    }
    close();
  }

  private void rotate(Instant now) throws IOException {
    Path rotated = directory.resolve(PREFIX + STAMP.format(now) + SUFFIX);
    for (int i = 1; Files.exists(rotated); i++) {
      rotated = directory.resolve(PREFIX + STAMP.format(now.plusMillis(i)) + SUFFIX);
    }
    close();
    Files.move(file, rotated, StandardCopyOption.ATOMIC_MOVE);
    pruneAt = now;
  }

  private void prune(Instant now) {
    if (now.isBefore(pruneAt)) {
      return;
    }
    pruneAt = now.plus(PRUNE_AGAIN);
    try (DirectoryStream<Path> rotated = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
      for (Path old : rotated) {
        if (isOver(old.getFileName().toString(), now)) {
          Files.deleteIfExists(old);
        }
      }
    } catch (IOException e) {
      LOG.warn("Old audit files were not removed", e);
    }
  }

  private boolean isOver(String name, Instant now) {
    try {
      String stamp = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
      return STAMP.parse(stamp, Instant::from).plus(keep).isBefore(now);
    } catch (DateTimeException e) {
      // Not a name that we gave: not ours to remove.
      return false;
    }
  }
}
