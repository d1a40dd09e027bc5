package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments.Place;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/** Writes the content of a {@link Part} into memory. Events and lists are added in their order. */
final class PartWriter {

  /** A part has about so many events at most, 65 bytes each: it is made in memory. */
  static final int MOST_EVENTS = 262_144;

  /**
   * What a part has.
   *
   * @param followed as {@link Part#followed} says
   * @param files of the log, in ascending order
   */
  record Extent(LocalDate day, long first, long last, long followed, List<Long> files, int events, int keys, int postings) {

    PartName name() {
      return new PartName(day, first, last);
    }
  }

  private final Extent extent;
  private final long dayBegin;
  private final long[] files;
  private final ByteBuffer content;
  private final ByteBuffer keys;
  private final ByteBuffer places;
  private final ByteBuffer times;
  private final ByteBuffer seqs;
  private final ByteBuffer lengths;
  private final ByteBuffer ends;
  private final ByteBuffer lists;
  private int postings;

  PartWriter(Extent extent) {
    this.extent = extent;
    this.dayBegin = extent.day().atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    this.files = extent.files().stream().mapToLong(Long::longValue).toArray();
    int events = extent.events();
    content = ByteBuffer.allocate(Math.toIntExact(Part.size(files.length, extent.keys(), events, extent.postings())));
    content.order(ByteOrder.LITTLE_ENDIAN);
    head();
    LongStream.of(files).forEach(content::putLong);
    keys = section(8 * extent.keys());
    places = section(8 * events);
    times = section(4 * events);
    seqs = section(4 * events);
    lengths = section(4 * events);
    ends = section(4 * extent.keys());
    lists = section(4 * extent.postings());
  }

  private ByteBuffer section(int bytes) {
    ByteBuffer section = content.slice(content.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
    content.position(content.position() + bytes);
    return section;
  }

  private void head() {
    content.putLong(Part.MAGIC).putLong(extent.first()).putLong(extent.last()).putLong(extent.followed()).putLong(dayBegin);
    content.putInt(extent.files().size()).putInt(extent.events()).putInt(extent.keys()).putInt(extent.postings());
    CRC32C sum = new CRC32C();
    sum.update(content.array(), 0, Part.CHECKED);
    content.putInt((int) sum.getValue()).position(Part.HEAD);
  }

  /** Adds the next event, the newest first. */
  void event(long millis, long seq, Place place) {
    times.putInt((int) (millis - dayBegin));
    seqs.putInt((int) (seq - extent.first()));
    long file = Arrays.binarySearch(files, place.file());
    places.putLong(file << Part.OFFSET_BITS | place.offset());
    lengths.putInt(place.length());
  }

  /** Begins the list of the next greater key. */
  void key(long key) {
    keys.putLong(key);
  }

  /** Adds an event to the list. */
  void posting(int ordinal) {
    lists.putInt(ordinal);
    postings++;
  }

  /** Ends the list. */
  void endKey() {
    ends.putInt(postings);
  }

  byte[] content() {
    return content.array();
  }
}
