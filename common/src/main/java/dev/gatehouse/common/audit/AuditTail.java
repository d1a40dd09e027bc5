package dev.gatehouse.common.audit;

import dev.gatehouse.common.audit.AuditSegments.Place;
import dev.gatehouse.common.audit.AuditSegments.Segment;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads events in their order, from any number on, and goes on when more are written. Follows rotated files. For one thread. */
public final class AuditTail implements AutoCloseable {

  /**
   * An event.
   *
   * @param bytes with the line feed
   */
  public record Line(long seq, Place place, byte[] bytes) {

    /** Returns the chain in hexadecimal digits. */
    public String chain() {
      return AuditLink.of(bytes, 0, bytes.length).map(link -> HexFormat.of().formatHex(link.chain())).orElse("");
    }

    /** Returns the time of the event; empty if the line does not begin as ours do. */
    public Optional<Instant> time() {
      return AuditSegments.time(bytes, 0, bytes.length);
    }

    public byte[] withoutFeed() {
      return Arrays.copyOf(bytes, bytes.length - 1);
    }
  }

  private record Opened(Segment segment, Object fileKey, InputStream in, AuditLines lines) {}

  private final AuditSegments segments;
  private final List<Line> taken = new ArrayList<>();
  private Optional<Opened> opened = Optional.empty();
  private long position;

  /** Where lines were read that are to be read again. */
  private Optional<Place> again = Optional.empty();

  /** @param after the number of the last event that is not read again */
  public AuditTail(AuditSegments segments, long after) {
    this.segments = segments;
    this.position = after;
  }

  /**
   * Returns the next events; none if there are no more at present.
   *
   * @param most how many at most
   * @param upTo events with greater numbers are not read yet: a write that fails may take them back
   */
  public List<Line> next(int most, long upTo) throws IOException {
    while (taken.isEmpty() && position < upTo) {
      if (opened.isEmpty() && !openNext()) {
        break;
      }
      Opened file = opened.orElseThrow();
      boolean hasEnded = file.lines().readUntil(() -> taken.size() >= most);
      if (taken.isEmpty() && hasEnded && isWritten(file)) {
        break;
      }
      if (taken.isEmpty() && hasEnded) {
        // A rotated file is complete: what was written before it was rotated can be read now at the latest.
        file.lines().readUntil(() -> taken.size() >= most);
        close();
        if (taken.isEmpty() && !openNext(file.segment().first())) {
          break;
        }
      }
    }
    return drain(upTo);
  }

  private List<Line> drain(long upTo) {
    List<Line> lines = taken.stream().filter(line -> line.seq() <= upTo).toList();
    if (lines.size() < taken.size()) {
      // Whatever follows is read from the file again, because it may be another content then.
      close();
      again = Optional.of(taken.get(lines.size()).place());
    }
    taken.clear();
    if (!lines.isEmpty()) {
      position = lines.getLast().seq();
    }
    return lines;
  }

  private boolean openNext() throws IOException {
    return openNext(-1);
  }

  /** Opens the file that has the event after the position, or begins the next after a gap, unless it is the one that was read. */
  private boolean openNext(long not) throws IOException {
    List<Segment> all = segments.all();
    Optional<Segment> found = Optional.empty();
    for (Segment segment : all) {
      if (segment.first() <= position + 1 || found.isEmpty()) {
        found = Optional.of(segment);
      }
    }
    if (found.isPresent() && found.get().first() == not) {
      long after = not;
      found = all.stream().filter(segment -> segment.first() > after).findFirst();
    }
    return found.isPresent() && open(found.get());
  }

  private boolean open(Segment segment) throws IOException {
    close();
    try {
      InputStream in = AuditSegments.open(segment.file());
      long offset = again.filter(place -> place.file() == segment.first()).map(Place::offset).orElse(0L);
      again = Optional.empty();
      in.skipNBytes(offset);
      opened = Optional.of(new Opened(segment, fileKey(segment.file()), in, lines(segment, in, offset)));
      return true;
    } catch (NoSuchFileException | EOFException e) {
      return false;
    }
  }

  private AuditLines lines(Segment segment, InputStream in, long offset) {
    AuditLines[] self = new AuditLines[1];
    self[0] =
        new AuditLines(
            in,
            offset,
            (number, bytes, from, to) -> {
              Optional<AuditLink> link = AuditLink.of(bytes, from, to);
              if (link.isPresent() && link.get().seq() > position) {
                Place place = new Place(segment.first(), self[0].taken(), to - from);
                taken.add(new Line(link.get().seq(), place, Arrays.copyOfRange(bytes, from, to)));
              }
            });
    return self[0];
  }

  /** Returns whether more may be written to the file. */
  private boolean isWritten(Opened file) {
    if (!segments.isCurrent(file.segment().file())) {
      return false;
    }
    try {
      return fileKey(file.segment().file()).equals(file.fileKey());
    } catch (IOException e) {
      return false;
    }
  }

  private static Object fileKey(Path file) throws IOException {
    return Objects.requireNonNullElse(Files.readAttributes(file, BasicFileAttributes.class).fileKey(), "");
  }

  @Override
  public void close() {
    opened.ifPresent(
        file -> {
          try {
            file.in().close();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
    opened = Optional.empty();
  }
}
