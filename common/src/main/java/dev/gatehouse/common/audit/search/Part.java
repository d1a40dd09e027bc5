package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments.Place;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/**
 * A file with events of one day, which is never changed: an inverted index, mapped into memory. Its events have ordinals, the newest
 * first. Numbers are little-endian:
 *
 * <ol>
 *   <li>a head of {@value #HEAD} bytes, which {@link #open} reads, with its CRC32C;
 *   <li>64 bits each: the files of the log, by the numbers of their first events; the keys in ascending order; the place of each event,
 *       24 bits of the file's index and 40 of the position;
 *   <li>32 bits each: the time of each event within the day, its number after the first, the length of its line; for each key the end of
 *       its list; the lists, the ordinals of the events with that key in ascending order.
 * </ol>
 *
 * <p>Only the head and the size are checked when the file is opened. What is damaged behind them hides events of a search, or ends it
 * with {@link IndexOutOfBoundsException}.
 */
final class Part implements AutoCloseable {

  static final long MAGIC = 0x3154524150484721L;
  static final int HEAD = 64;
  static final int CHECKED = 56;
  static final int OFFSET_BITS = 40;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path file;
  private final Arena arena;
  private final MemorySegment content;
  private final long firstSeq;
  private final long dayBegin;
  private final int files;
  private final int events;
  private final int keys;
  private final long keysAt;
  private final long placesAt;
  private final long timesAt;
  private final long seqsAt;
  private final long lengthsAt;
  private final long endsAt;
  private final long listsAt;

  private Part(Path file, Arena arena, MemorySegment content) {
    this.file = file;
    this.arena = arena;
    this.content = content;
    if (content.byteSize() < HEAD || content.get(LONG, 0) != MAGIC || content.get(INT, CHECKED) != sum(content)) {
      throw new DamagedPart(file + " has no head of a part");
    }
    firstSeq = content.get(LONG, 8);
    dayBegin = content.get(LONG, 32);
    files = content.get(INT, 40);
    events = content.get(INT, 44);
    keys = content.get(INT, 48);
    keysAt = HEAD + 8L * files;
    placesAt = keysAt + 8L * keys;
    timesAt = placesAt + 8L * events;
    seqsAt = timesAt + 4L * events;
    lengthsAt = seqsAt + 4L * events;
    endsAt = lengthsAt + 4L * events;
    listsAt = endsAt + 4L * keys;
    if (listsAt + 4L * content.get(INT, 52) != content.byteSize()) {
      throw new DamagedPart(file + " is cut off");
    }
  }

  /**
   * Maps a file.
   *
   * @throws DamagedPart if it is not a part, or is not whole
   */
  static Part open(Path file) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new Part(file, arena, channel.map(MapMode.READ_ONLY, 0, channel.size(), arena));
    } catch (IOException | RuntimeException | InternalError e) {
      arena.close();
      throw e;
    }
  }

  private static int sum(MemorySegment content) {
    CRC32C sum = new CRC32C();
    sum.update(content.asSlice(0, CHECKED).toArray(ValueLayout.JAVA_BYTE));
    return (int) sum.getValue();
  }

  /** Returns the number of bytes of a part. */
  static long size(int files, int keys, int events, int postings) {
    return HEAD + 8L * files + 12L * keys + 20L * events + 4L * postings;
  }

  Path file() {
    return file;
  }

  long firstSeq() {
    return firstSeq;
  }

  long lastSeq() {
    return content.get(LONG, 16);
  }

  /** Returns the number of the last event up to which all were in parts when this one was written. */
  long followed() {
    return content.get(LONG, 24);
  }

  int events() {
    return events;
  }

  int keys() {
    return keys;
  }

  int postings() {
    return content.get(INT, 52);
  }

  long key(int index) {
    return content.getAtIndex(LONG, keysAt / 8 + index);
  }

  /** Returns the files of the log by the numbers of their first events. */
  List<Long> files() {
    return LongStream.range(0, files).mapToObj(this::file).toList();
  }

  private long file(long index) {
    return content.getAtIndex(LONG, HEAD / 8 + index);
  }

  /** Returns where the list of a key begins among all lists. */
  int listBegin(int index) {
    return index == 0 ? 0 : listEnd(index - 1);
  }

  int listEnd(int index) {
    return content.getAtIndex(INT, endsAt / 4 + index);
  }

  /** Returns the ordinal at that place of all lists. */
  int posting(int at) {
    return content.getAtIndex(INT, listsAt / 4 + at);
  }

  long millis(int ordinal) {
    return dayBegin + content.getAtIndex(INT, timesAt / 4 + ordinal);
  }

  long seq(int ordinal) {
    return firstSeq + content.getAtIndex(INT, seqsAt / 4 + ordinal);
  }

  Place place(int ordinal) {
    long place = content.getAtIndex(LONG, placesAt / 8 + ordinal);
    int length = content.getAtIndex(INT, lengthsAt / 4 + ordinal);
    if (length < 0 || place >>> OFFSET_BITS >= files) {
      throw new DamagedPart(file + " has no place of an event");
    }
    return new Place(file(place >>> OFFSET_BITS), place & (1L << OFFSET_BITS) - 1, length);
  }

  /** Returns the index of a key; empty if no event has it. */
  OptionalInt index(long key) {
    int low = 0;
    int high = keys - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compare(key(middle), key);
      if (order == 0) {
        return OptionalInt.of(middle);
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return OptionalInt.empty();
  }

  /** Returns the ordinal of the first event, the newest first, that is at that position or after it. */
  int ordinal(AuditQuery.Cursor position) {
    int low = 0;
    int high = events;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (new AuditQuery.Cursor(millis(middle), seq(middle)).compareTo(position) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public void close() {
    arena.close();
  }
}
