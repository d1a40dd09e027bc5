package dev.gatehouse.common.audit;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The folder {@code checkpoints} beside the audit log: one file a month, {@code 2026-11.jws}, with one checkpoint a line. */
final class CheckpointFiles {

  static final String FOLDER = "checkpoints";

  private static final String SUFFIX = ".jws";
  private static final Set<StandardOpenOption> OPTIONS =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private final Path folder;

  /** @param audit the audit log's directory */
  CheckpointFiles(Path audit) {
    this.folder = audit.resolve(FOLDER);
  }

  /** Appends a checkpoint and forces it to disk. */
  void append(String checkpoint, Instant time) throws IOException {
    PrivateFiles.createFolder(folder);
    Path file = folder.resolve(YearMonth.from(time.atOffset(ZoneOffset.UTC)) + SUFFIX);
    try (FileChannel channel =
        FileChannel.open(file, OPTIONS, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      long end = endOfLines(channel);
      channel.truncate(end);
      ByteBuffer line = ByteBuffer.wrap((checkpoint + "\n").getBytes(StandardCharsets.US_ASCII));
      while (line.hasRemaining()) {
        end += channel.write(line, end);
      }
      channel.force(true);
    }
  }

  /** A write that was interrupted leaves a part of a line, which the next write replaces. */
  private static long endOfLines(FileChannel channel) throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1);
    for (long end = channel.size(); end > 0; end--) {
      channel.read(one.clear(), end - 1);
      if (one.get(0) == '\n') {
        return end;
      }
    }
    return 0;
  }

  /** Removes the files of months that ended before that time. */
  void removeEndedBefore(Instant time) throws IOException {
    for (Path file : all()) {
      if (month(file).orElseThrow().plusMonths(1).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC).isBefore(time)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns the files, the oldest first. */
  List<Path> all() throws IOException {
    List<Path> found = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      files.forEach(file -> month(file).ifPresent(month -> found.add(file)));
    }
    found.sort(null);
    return found;
  }

  private static Optional<YearMonth> month(Path file) {
    String name = file.getFileName().toString();
    try {
      return Optional.of(YearMonth.parse(name.substring(0, name.length() - SUFFIX.length())));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
