package dev.gatehouse.common.audit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The names of the audit log's files: the current one and the rotated ones. */
record AuditFolder(Path directory) {

  private static final String PREFIX = "audit-";
  private static final String SUFFIX = ".jsonl";

  /** Ends the name of a file of the archive, after its former name. */
  static final String GZIP = ".gz";

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

  /** By so much a name may be ahead of the clock, and count. */
  private static final Duration AHEAD = Duration.ofDays(1);

  /** Larger than any line. */
  private static final int TAIL = 1 << 20;

  Path current() {
    return directory.resolve("audit" + SUFFIX);
  }

  /** Returns a name for the file that is rotated now, behind those of all others, also after the clock was set back. */
  Path rotated(Instant now) throws IOException {
    Optional<Instant> newest = rotated().stream().flatMap(file -> at(file).stream()).max(Comparator.naturalOrder());
    Instant later = newest.map(time -> time.plusMillis(1)).filter(time -> time.isAfter(now)).orElse(now);
    return directory.resolve(PREFIX + STAMP.format(later) + SUFFIX);
  }

  /** Returns the rotated files, the oldest first, without files whose names are not ours. */
  List<Path> rotated() throws IOException {
    return files(SUFFIX);
  }

  /** Returns the compressed files of an archive in this folder, the oldest first. */
  List<Path> archived() throws IOException {
    return files(SUFFIX + GZIP);
  }

  private List<Path> files(String suffix) throws IOException {
    List<Path> found = new ArrayList<>();
    if (!Files.isDirectory(directory)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + suffix)) {
      for (Path file : files) {
        if (at(file).isPresent()) {
          found.add(file);
        }
      }
    }
    found.sort(null);
    return found;
  }

  /** Returns the time of rotation in the file's name. */
  static Optional<Instant> at(Path rotated) {
    String name = rotatedName(rotated);
    try {
      return Optional.of(STAMP.parse(name.substring(PREFIX.length(), name.length() - SUFFIX.length()), Instant::from));
    } catch (DateTimeException | StringIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** Returns the rotated files of before a time, the oldest first. */
  List<Path> rotatedBefore(Instant before, Instant now) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : rotated()) {
      if (rotatedAt(file, now).filter(at -> at.isBefore(before)).isPresent()) {
        found.add(file);
      }
    }
    return List.copyOf(found);
  }

  /**
   * Returns when a file was rotated. Where the clock was far ahead once, later names go on from there; then it is the time of the last
   * write.
   */
  private static Optional<Instant> rotatedAt(Path rotated, Instant now) throws IOException {
    Optional<Instant> named = at(rotated);
    return named.filter(time -> time.isAfter(now.plus(AHEAD))).isPresent()
        ? Optional.of(Files.getLastModifiedTime(rotated).toInstant())
        : named;
  }

  /** Returns the name that a rotated file has or, in the archive, had. */
  static String rotatedName(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(GZIP) ? name.substring(0, name.length() - GZIP.length()) : name;
  }

  /** Returns a new folder for the remaining files of a damaged log. */
  Path aside(Instant now) {
    return directory.resolve("replaced-" + STAMP.format(now));
  }

  /** Returns the link of the last line of the log that has one. */
  Optional<AuditLink> last() throws IOException {
    Optional<AuditLink> last = Files.isRegularFile(current()) ? last(current()) : Optional.empty();
    List<Path> rotated = rotated();
    for (int i = rotated.size() - 1; i >= 0 && last.isEmpty(); i--) {
      last = last(rotated.get(i));
    }
    return last;
  }

  /** Returns the link of the file's last complete line, if it has one. */
  static Optional<AuditLink> last(Path file) throws IOException {
    byte[] tail = tail(file);
    int end = endOfLines(tail);
    int from = end - 1;
    while (from > 0 && tail[from - 1] != '\n') {
      from--;
    }
    return end == 0 ? Optional.empty() : AuditLink.of(tail, from, end);
  }

  /** Returns the length of an unfinished line at the end. */
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
