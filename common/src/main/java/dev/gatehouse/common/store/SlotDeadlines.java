package dev.gatehouse.common.store;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says when a slot is to be checked: chains of slots, one for each second in which any is due; one four-byte number a slot. A
 * slot whose deadline has moved later is visited early and filed again. Not thread-safe.
 */
final class SlotDeadlines {

  /** Decides about a slot that is due. */
  interface Visitor {
    /**
     * Visits a slot.
     *
     * @return the time, in milliseconds, until which the slot waits; {@link #GONE} removes it; a past time leaves it in place
     */
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
   * Visits slots whose second has begun, in the order of seconds.
   *
   * @param limit the visit ends after the chain that reaches this number of slots
   */
  void visit(long nowMillis, int limit, Visitor visitor) {
    long now = nowMillis >> BUCKET_BITS;
    long after = Long.MIN_VALUE;
    int shown = 0;
    while (shown < limit) {
      Map.Entry<Long, Integer> due = heads.higherEntry(after);
      if (due == null || due.getKey() > now) {
        return;
      }
      after = due.getKey();
      shown += visitChain(after, due.getValue(), nowMillis, visitor);
    }
  }

  /** Visits up to {@code limit} slots of seconds that have passed wholly, removes them, and files again those that wait. */
  void drain(long nowMillis, int limit, Visitor visitor) {
    long now = nowMillis >> BUCKET_BITS;
    for (int shown = 0; shown < limit; shown++) {
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
      // Read before the slot is filed elsewhere.
      int following = next[slot];
      long until = visitor.visit(slot);
      if (until != GONE) {
        // A slot that stays due returns to its chain, so that it is visited once.
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
