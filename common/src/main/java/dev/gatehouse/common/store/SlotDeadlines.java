package dev.gatehouse.common.store;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * When somebody has to look at a slot: chains of slots, one for each second in which any is due; one number of four bytes a
 * slot. A slot that is to be looked at later than it was filed for is met early and filed again. Not thread-safe.
 */
final class SlotDeadlines {

  /** What becomes of a slot that was met. */
  interface Visitor {
    /** @return until when it waits, in milliseconds; {@link #GONE} takes it out; a time that is past keeps it here */
    long visit(int slot);
  }

  static final long GONE = -1;

  private static final int BUCKET_BITS = 10;

  private final TreeMap<Long, Integer> heads = new TreeMap<>();
  private int[] next = new int[16];

  void add(int slot, long millis) {
    if (slot >= next.length) {
      next = Arrays.copyOf(next, Math.max(slot + 1, next.length + next.length / 8));
    }
    Integer head = heads.put(millis >> BUCKET_BITS, slot);
    next[slot] = head == null ? SessionSlots.NONE : head;
  }

  /**
   * Shows slots whose second has passed wholly or begun, in the order of seconds.
   *
   * @param most ends after the chain in which so many were shown
   */
  void visit(long nowMillis, int most, Visitor visitor) {
    long now = nowMillis >> BUCKET_BITS;
    long after = Long.MIN_VALUE;
    int shown = 0;
    while (shown < most) {
      Map.Entry<Long, Integer> due = heads.higherEntry(after);
      if (due == null || due.getKey() > now) {
        return;
      }
      after = due.getKey();
      shown += visitChain(after, due.getValue(), nowMillis, visitor);
    }
  }

  /** Takes up to {@code most} out of seconds that have passed wholly, one by one, and files again those that wait. */
  void drain(long nowMillis, int most, Visitor visitor) {
    long now = nowMillis >> BUCKET_BITS;
    for (int shown = 0; shown < most; shown++) {
      Map.Entry<Long, Integer> due = heads.firstEntry();
      if (due == null || due.getKey() >= now) {
        return;
      }
      int slot = due.getValue();
      take(due.getKey(), slot);
      long until = visitor.visit(slot);
      if (until != GONE) {
        add(slot, until);
      }
    }
  }

  private int visitChain(long bucket, int head, long nowMillis, Visitor visitor) {
    heads.remove(bucket);
    int shown = 0;
    int slot = head;
    while (slot != SessionSlots.NONE) {
      // Before the slot is filed elsewhere.
      int following = next[slot];
      long until = visitor.visit(slot);
      if (until != GONE) {
        // What is due stays where it is, so that it is shown once.
        add(slot, until <= nowMillis ? bucket << BUCKET_BITS : until);
      }
      shown++;
      slot = following;
    }
    return shown;
  }

  private void take(long bucket, int slot) {
    if (next[slot] == SessionSlots.NONE) {
      heads.remove(bucket);
    } else {
      heads.put(bucket, next[slot]);
    }
  }
}
