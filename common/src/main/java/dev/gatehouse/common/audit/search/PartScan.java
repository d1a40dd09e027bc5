package dev.gatehouse.common.audit.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * A search in one part. Each list in turn skips to the event at which the others are, the shortest first, so that the shortest list says
 * how long it takes.
 */
final class PartScan implements EventScan {

  /** After so many skips the search says how far it is. */
  private static final int SKIPS = 4096;

  /** The ordinals of the events that have one key. */
  private static final class Postings {

    private final Part part;
    private final int end;
    private int at;

    Postings(Part part, int begin, int end) {
      this.part = part;
      this.at = begin;
      this.end = end;
    }

    int size() {
      return end - at;
    }

    /** Returns the next ordinal that is not smaller; skips by steps that double, and then halve. Ordinals are asked in ascending order. */
    int ceiling(int ordinal) {
      int low = at;
      int high = at;
      for (int step = 1; high < end && part.posting(high) < ordinal; step <<= 1) {
        low = high + 1;
        high += step;
      }
      high = Math.min(high, end);
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (part.posting(middle) < ordinal) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      at = low;
      return at < end ? part.posting(at) : Integer.MAX_VALUE;
    }
  }

  private final Part part;
  private final List<Postings> lists;
  private final int end;
  private int next;
  private int at;
  private boolean isMatch;

  private PartScan(Part part, List<Postings> lists, int begin, int end) {
    this.part = part;
    this.lists = lists;
    this.next = begin;
    this.end = end;
  }

  /** Begins a search for the events that have all keys, in the range of the question. */
  static PartScan of(Part part, List<Long> keys, AuditQuery query) {
    List<Postings> lists = new ArrayList<>();
    int end = part.ordinal(query.oldest());
    for (long key : keys) {
      OptionalInt index = part.index(key);
      if (index.isEmpty()) {
        end = 0;
        break;
      }
      lists.add(new Postings(part, part.listBegin(index.getAsInt()), part.listEnd(index.getAsInt())));
    }
    lists.sort(Comparator.comparingInt(Postings::size));
    return new PartScan(part, lists, end == 0 ? 0 : part.ordinal(query.newest()), end);
  }

  @Override
  public boolean advance() {
    int candidate = next;
    int agreeing = 0;
    for (int skip = 0; agreeing < lists.size() && candidate < end; skip++) {
      if (skip == SKIPS) {
        return stop(candidate - 1, false);
      }
      int found = lists.get(skip % lists.size()).ceiling(candidate);
      agreeing = found == candidate ? agreeing + 1 : 1;
      candidate = found;
    }
    return stop(candidate, true);
  }

  private boolean stop(int ordinal, boolean isFound) {
    at = ordinal;
    isMatch = isFound;
    next = ordinal < end ? ordinal + 1 : end;
    return ordinal < end;
  }

  @Override
  public Found event() {
    return new Found(part.seq(at), part.millis(at), part.place(at));
  }

  @Override
  public boolean isMatch() {
    return isMatch;
  }
}
