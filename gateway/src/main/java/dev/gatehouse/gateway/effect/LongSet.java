package dev.gatehouse.gateway.effect;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A set of 64-bit fingerprints. One thread adds; any thread may look without a lock. A reader may miss what is being added.
 */
final class LongSet {

  private static final int SMALLEST = 1 << 10;

  /** Zero marks a free place. Open addressing; at least half of the places are free. */
  private volatile AtomicLongArray places = new AtomicLongArray(SMALLEST);

  private volatile int size;

  boolean contains(long value) {
    AtomicLongArray now = places;
    return now.get(place(now, marked(value))) != 0;
  }

  /** Returns whether it was not there yet. For one thread only. */
  boolean add(long value) {
    AtomicLongArray now = places;
    long marked = marked(value);
    int place = place(now, marked);
    if (now.get(place) != 0) {
      return false;
    }
    if (2 * (size + 1) > now.length()) {
      now = grown(now);
      places = now;
      place = place(now, marked);
    }
    now.set(place, marked);
    // One thread writes.
    int more = size + 1;
    size = more;
    return true;
  }

  int size() {
    return size;
  }

  /** Returns those that belong to a sample. */
  LongSet sampled(int halvings) {
    LongSet fewer = new LongSet();
    AtomicLongArray now = places;
    for (int i = 0; i < now.length(); i++) {
      long value = now.get(i);
      if (value != 0 && Fingerprint.isSampled(value, halvings)) {
        fewer.add(value);
      }
    }
    return fewer;
  }

  private static AtomicLongArray grown(AtomicLongArray old) {
    AtomicLongArray larger = new AtomicLongArray(2 * old.length());
    for (int i = 0; i < old.length(); i++) {
      long value = old.get(i);
      if (value != 0) {
        larger.setPlain(place(larger, value), value);
      }
    }
    return larger;
  }

  /** The place of the value, or the free one where it belongs. The high bits choose the sample, so the low ones choose the place. */
  private static int place(AtomicLongArray places, long marked) {
    int mask = places.length() - 1;
    int place = (int) marked & mask;
    for (long there = places.get(place); there != 0 && there != marked; there = places.get(place)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private static long marked(long value) {
    return value == 0 ? 1 : value;
  }
}
