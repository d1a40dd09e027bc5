package dev.gatehouse.common.audit;

import dev.gatehouse.common.audit.AuditTail.Line;
import dev.gatehouse.common.codec.UtcMillis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files of an audit log and its archive in the order of their events. A file is known by the number of its first event, because its
 * name changes when it is rotated and again when it is archived.
 */
public final class AuditSegments {

  /** The time at the begin of a line: {@code {"time":"2026-01-01T12:00:00.000Z"}. */
  private static final int TIME_AT = 9;

  private static final int TIME_LENGTH = 24;

  /** What is between the time and the kind of event. */
  private static final byte[] EVENT = "\",\"event\":\"".getBytes(StandardCharsets.US_ASCII);

  private static final int EVENT_AT = TIME_AT + TIME_LENGTH;

  /**
   * A file.
   *
   * @param first the number of its first event
   * @param begin the time of its first event
   */
  public record Segment(Path file, long first, Instant begin) {}

  /** Where a line is: in the file with that first event, at that position of its content. */
  public record Place(long file, long offset, int length) {}

  private record First(long seq, Instant time) {}

  private final AuditFolder folder;
  private final Optional<AuditFolder> archive;
  private final Map<String, First> known = new ConcurrentHashMap<>();

  public AuditSegments(Path directory, Optional<Path> archive) {
    this.folder = new AuditFolder(directory);
    this.archive = archive.map(AuditFolder::new);
  }

  /** Returns the time of a line; empty if it does not begin as our lines do. */
  public static Optional<Instant> time(byte[] line, int from, int to) {
    if (to - from < TIME_AT + TIME_LENGTH) {
      return Optional.empty();
    }
    try {
      return Optional.of(UtcMillis.parse(line, from + TIME_AT));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Returns the kind of event of a line that begins as our lines do; empty if it begins otherwise, and may be an event all the same. */
  public static Optional<String> event(byte[] line) {
    int from = EVENT_AT + EVENT.length;
    if (line.length < from || !Arrays.equals(EVENT, 0, EVENT.length, line, EVENT_AT, from)) {
      return Optional.empty();
    }
    int to = from;
    while (to < line.length && (line[to] >= 'a' && line[to] <= 'z' || line[to] >= 'A' && line[to] <= 'Z')) {
      to++;
    }
    return to < line.length && line[to] == '"'
        ? Optional.of(new String(line, from, to - from, StandardCharsets.US_ASCII))
        : Optional.empty();
  }

  /** Returns the files that begin with an event; a file that is in both places once. */
  public List<Segment> all() throws IOException {
    TreeMap<Long, Segment> segments = new TreeMap<>();
    for (Path file : files()) {
      Optional<First> first = first(file);
      first.ifPresent(known -> segments.put(known.seq(), new Segment(file, known.seq(), known.time())));
    }
    return List.copyOf(segments.values());
  }

  /** In this order, so that a file that is moved meanwhile is in one of the lists, and the later place counts only if it is the only one. */
  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    List<Path> rotated = folder.rotated();
    if (archive.isPresent()) {
      files.addAll(archive.get().archived());
    }
    files.addAll(rotated);
    if (Files.isRegularFile(folder.current())) {
      files.add(folder.current());
    }
    return files;
  }

  private Optional<First> first(Path file) throws IOException {
    boolean isFinal = !file.equals(folder.current());
    First before = isFinal ? known.get(AuditFolder.rotatedName(file)) : null;
    if (before != null) {
      return Optional.of(before);
    }
    List<First> found = new ArrayList<>();
    try (InputStream in = open(file)) {
      AuditLines lines =
          new AuditLines(
              in,
              (number, bytes, from, to) -> {
                if (found.isEmpty()) {
                  Optional<Instant> time = time(bytes, from, to);
                  AuditLink.of(bytes, from, to)
                      .filter(link -> time.isPresent())
                      .ifPresent(link -> found.add(new First(link.seq(), time.orElseThrow())));
                }
              });
      lines.readUntil(() -> !found.isEmpty());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    if (isFinal && !found.isEmpty()) {
      known.put(AuditFolder.rotatedName(file), found.getFirst());
    }
    return found.stream().findFirst();
  }

  /** Opens the content of a file. */
  static InputStream open(Path file) throws IOException {
    return file.getFileName().toString().endsWith(AuditFolder.GZIP) ? MemberInput.open(file) : Files.newInputStream(file);
  }

  /** Returns whether that file is the one that is written. */
  boolean isCurrent(Path file) {
    return file.equals(folder.current());
  }

  /** Reads lines by their numbers and places; those that cannot be read, or are not that event any more, are left out. */
  public Map<Long, byte[]> read(Map<Long, Place> places) throws IOException {
    Map<Long, List<Line>> byFile = new TreeMap<>();
    places.forEach(
        (seq, place) ->
            byFile
                .computeIfAbsent(place.file(), file -> new ArrayList<>())
                .add(new Line(seq, place, new byte[0])));
    Map<Long, byte[]> read = new TreeMap<>();
    if (byFile.isEmpty()) {
      return read;
    }
    for (Segment segment : all()) {
      List<Line> wanted = byFile.getOrDefault(segment.first(), List.of());
      if (!wanted.isEmpty()) {
        read(segment.file(), wanted.stream().sorted((a, b) -> Long.compare(a.place().offset(), b.place().offset())).toList(), read);
      }
    }
    return read;
  }

  private static void read(Path file, List<Line> wanted, Map<Long, byte[]> to) throws IOException {
    try (InputStream in = open(file)) {
      long at = 0;
      for (Line line : wanted) {
        in.skipNBytes(line.place().offset() - at);
        byte[] bytes = in.readNBytes(line.place().length());
        at = line.place().offset() + bytes.length;
        if (AuditLink.of(bytes, 0, bytes.length).filter(link -> link.seq() == line.seq()).isPresent()) {
          to.put(line.seq(), bytes);
        }
      }
    } catch (java.io.EOFException | NoSuchFileException e) {
      // The file was cut off, or was moved at this moment: its lines are left out.
    }
  }
}
