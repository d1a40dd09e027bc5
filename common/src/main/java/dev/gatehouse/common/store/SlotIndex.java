package dev.gatehouse.common.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds slots by the hash of a key: open addressing with linear probing, eight bytes an entry, between 75 and 85 % full. Hashes
 * are evenly distributed, because they are the beginnings of digests. Not thread-safe.
 */
final class SlotIndex {

  private static final long NOTHING = 0;

  private long[] entries = new long[16];
  private int size;

  /** Returns the hash under which a key is filed. */
  static int hash(String key) {
    byte[] digest = Bytes.digest(key);
    return (digest[0] & 0xff) << 24 | (digest[1] & 0xff) << 16 | (digest[2] & 0xff) << 8 | digest[3] & 0xff;
  }

  void add(int hash, int slot) {
    if (size + 1 > entries.length * 17L / 20) {
      grow();
    }
    put(entry(hash, slot));
    size++;
  }

  /** Removes one such entry; does nothing if there is none. */
  void remove(int hash, int slot) {
    long sought = entry(hash, slot);
    int at = home(hash);
    while (entries[at] != sought) {
      if (entries[at] == NOTHING) {
        return;
      }
      at = following(at);
    }
    close(at);
    size--;
  }

  List<Integer> slots(int hash) {
    List<Integer> slots = new ArrayList<>();
    for (int at = home(hash); entries[at] != NOTHING; at = following(at)) {
      if ((int) (entries[at] >>> 32) == hash) {
        slots.add((int) entries[at] - 1);
      }
    }
    return slots;
  }

  /** Closes the gap: moves up entries that were displaced by the removed one (Knuth, TAOCP 3, 6.4 R). */
  private void close(int removed) {
    int gap = removed;
    for (int at = following(gap); entries[at] != NOTHING; at = following(at)) {
      int home = home((int) (entries[at] >>> 32));
      if (distance(home, at) >= distance(gap, at)) {
        entries[gap] = entries[at];
        gap = at;
      }
    }
    entries[gap] = NOTHING;
  }

  private void grow() {
    long[] old = entries;
    entries = new long[old.length + old.length / 8 + 16];
    for (long entry : old) {
      if (entry != NOTHING) {
        put(entry);
      }
    }
  }

  private void put(long entry) {
    int at = home((int) (entry >>> 32));
    while (entries[at] != NOTHING) {
      at = following(at);
    }
    entries[at] = entry;
  }

  private static long entry(int hash, int slot) {
    return (long) hash << 32 | slot + 1;
  }

  private int home(int hash) {
    return (int) ((hash & 0xffff_ffffL) * entries.length >>> 32);
  }

  private int following(int at) {
    return at + 1 == entries.length ? 0 : at + 1;
  }

  private int distance(int from, int to) {
    return to >= from ? to - from : to - from + entries.length;
  }
}
