package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.search.PartWriter.Extent;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Makes the content of parts, from rows or from other parts.
 *
 * @param name of the part
 */
record PartMaker(PartName name, PartWriter writer) {

  /** Numbers in an array that grows. */
  private static final class Ordinals {
    private int[] numbers = new int[2];
    private int size;

    /** Adds a number that is not less than the last one; the last one itself stays once. */
    void add(int number) {
      if (size > 0 && numbers[size - 1] == number) {
        return;
      }
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
      }
      numbers[size++] = number;
    }

    IntStream stream() {
      return Arrays.stream(numbers, 0, size);
    }
  }

  /** A part that is merged with others, and how far. */
  private static final class Merged {
    private final Part part;
    private final int[] ordinals;
    private int at;
    private int key;

    Merged(Part part) {
      this.part = part;
      this.ordinals = new int[part.events()];
    }

    AuditQuery.Cursor cursor() {
      return new AuditQuery.Cursor(part.millis(at), part.seq(at));
    }
  }

  /**
   * Returns a part of rows.
   *
   * @param rows the newest first
   */
  static PartMaker of(LocalDate day, List<EventRow> rows, long followed) {
    Map<Long, Ordinals> lists = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      for (Long key : rows.get(i).keys()) {
        lists.computeIfAbsent(key, fresh -> new Ordinals()).add(i);
      }
    }
    int postings = lists.values().stream().mapToInt(list -> list.size).sum();
    long first = rows.stream().mapToLong(EventRow::seq).min().orElse(0);
    long last = rows.stream().mapToLong(EventRow::seq).max().orElse(0);
    List<Long> files = rows.stream().map(row -> row.place().file()).distinct().sorted().toList();
    // Not more than its own events: if the days after it are lost, what was in them is followed again.
    Extent extent = new Extent(day, first, last, Math.min(followed, last), files, rows.size(), lists.size(), postings);
    PartWriter writer = new PartWriter(extent);
    rows.forEach(row -> writer.event(row.millis(), row.seq(), row.place()));
    // Sorted at the end: a tree of so many keys takes longer.
    for (long key : lists.keySet().stream().mapToLong(Long::longValue).sorted().toArray()) {
      writer.key(key);
      Objects.requireNonNull(lists.get(key)).stream().forEach(writer::posting);
      writer.endKey();
    }
    return new PartMaker(extent.name(), writer);
  }

  /** Returns a part with the events of several of the same day. */
  static PartMaker merged(LocalDate day, List<Part> parts) {
    long[] keys = parts.stream().flatMapToLong(part -> IntStream.range(0, part.keys()).mapToLong(part::key)).sorted().distinct().toArray();
    List<Long> files = parts.stream().flatMap(part -> part.files().stream()).distinct().sorted().toList();
    LongStream firsts = parts.stream().filter(part -> part.events() > 0).mapToLong(Part::firstSeq);
    Extent extent =
        new Extent(
            day, firsts.min().orElse(0), parts.stream().mapToLong(Part::lastSeq).max().orElse(0),
            parts.stream().mapToLong(Part::followed).max().orElse(0), files, parts.stream().mapToInt(Part::events).sum(), keys.length,
            parts.stream().mapToInt(Part::postings).sum());
    PartWriter writer = new PartWriter(extent);
    List<Merged> all = parts.stream().map(Merged::new).toList();
    mergeEvents(all, writer);
    mergeLists(all, keys, writer);
    return new PartMaker(extent.name(), writer);
  }

  private static void mergeEvents(List<Merged> all, PartWriter writer) {
    PriorityQueue<Merged> next = new PriorityQueue<>((a, b) -> a.cursor().compareTo(b.cursor()));
    all.stream().filter(merged -> merged.part.events() > 0).forEach(next::add);
    for (int ordinal = 0; !next.isEmpty(); ordinal++) {
      Merged merged = next.remove();
      writer.event(merged.part.millis(merged.at), merged.part.seq(merged.at), merged.part.place(merged.at));
      merged.ordinals[merged.at++] = ordinal;
      if (merged.at < merged.part.events()) {
        next.add(merged);
      }
    }
  }

  private static void mergeLists(List<Merged> all, long[] keys, PartWriter writer) {
    for (long key : keys) {
      List<IntStream> lists = new ArrayList<>();
      for (Merged merged : all) {
        if (merged.key < merged.part.keys() && merged.part.key(merged.key) == key) {
          lists.add(
              IntStream.range(merged.part.listBegin(merged.key), merged.part.listEnd(merged.key))
                  .map(at -> merged.ordinals[merged.part.posting(at)]));
          merged.key++;
        }
      }
      writer.key(key);
      IntStream together = lists.size() == 1 ? lists.getFirst() : lists.stream().flatMapToInt(list -> list).sorted();
      together.forEach(writer::posting);
      writer.endKey();
    }
  }
}
