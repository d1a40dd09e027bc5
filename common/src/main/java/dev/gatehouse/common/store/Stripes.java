package dev.gatehouse.common.store;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A fixed number of locks shared by all keys: equal keys have the same lock. */
final class Stripes {

  private static final int COUNT = 512;

  private final ReentrantLock[] locks = new ReentrantLock[COUNT];

  Stripes() {
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  ReentrantLock of(byte[] key) {
    return locks[index(key)];
  }

  /** Returns the locks of these keys, each once, in the one order in which callers take several. */
  List<ReentrantLock> of(List<byte[]> keys) {
    return keys.stream().map(Stripes::index).distinct().sorted().map(i -> locks[i]).toList();
  }

  private static int index(byte[] key) {
    return Math.floorMod(Arrays.hashCode(key), COUNT);
  }
}
