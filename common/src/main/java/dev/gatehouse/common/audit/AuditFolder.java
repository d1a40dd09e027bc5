package dev.gatehouse.common.audit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files of the audit log by their names: the one that is written, and those it was before. */
record AuditFolder(Path directory) {

  private static final String PREFIX = "audit-";
  private static final String SUFFIX = ".jsonl";
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

  /** More than one line is long. */
  private static final int TAIL = 1 << 20;

  Path current() {
    return directory.resolve("audit" + SUFFIX);
  }

  /** A name that is free. */
  Path rotated(Instant now) {
    Path rotated = directory.resolve(PREFIX + STAMP.format(now) + SUFFIX);
    for (int i = 1; Files.exists(rotated); i++) {
      rotated = directory.resolve(PREFIX + STAMP.format(now.plusMillis(i)) + SUFFIX);
    }
    return rotated;
  }

  /** Rotated files, the oldest first; not those whose names are not ours. */
  List<Path> rotated() throws IOException {
    List<Path> found = new ArrayList<>();
    if (!Files.isDirectory(directory)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
      for (Path file : files) {
        if (at(file).isPresent()) {
          found.add(file);
        }
      }
    }
    found.sort(null);
    return found;
  }

  /** When it was rotated, by its name. */
  static Optional<Instant> at(Path rotated) {
    String name = rotated.getFileName().toString();
    try {
      return Optional.of(STAMP.parse(name.substring(PREFIX.length(), name.length() - SUFFIX.length()), Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** A new folder for what is left of a log that goes on anew. */
  Path aside(Instant now) {
    return directory.resolve("replaced-" + STAMP.format(now));
  }

  /** The last line of the log that has a link. */
  Optional<AuditLink> last() throws IOException {
    Optional<AuditLink> last = Files.isRegularFile(current()) ? last(current()) : Optional.empty();
    List<Path> rotated = rotated();
    for (int i = rotated.size() - 1; i >= 0 && last.isEmpty(); i--) {
      last = last(rotated.get(i));
    }
    return last;
  }

  /** The last whole line, if it has a link. */
  static Optional<AuditLink> last(Path file) throws IOException {
    byte[] tail = tail(file);
    int end = endOfLines(tail);
    int from = end - 1;
    while (from > 0 && tail[from - 1] != '\n') {
      from--;
    }
    return end == 0 ? Optional.empty() : AuditLink.of(tail, from, end);
  }

  /** How many bytes at the end belong to a line that was not finished. */
  static int unfinished(Path file) throws IOException {
    byte[] tail = tail(file);
    return tail.length - endOfLines(tail);
  }

  private static int endOfLines(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  private static byte[] tail(Path file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      byte[] tail = new byte[(int) Math.min(TAIL, in.length())];
      in.seek(in.length() - tail.length);
      in.readFully(tail);
      return tail;
    }
  }
}
