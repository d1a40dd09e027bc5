package dev.gatehouse.common.store;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/** A fixed number of locks shared by all keys: equal keys have the same lock. */
final class Stripes {

  private static final int COUNT = 512;

  private final ReentrantLock[] locks = new ReentrantLock[COUNT];

  Stripes() {
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  ReentrantLock of(byte[] key) {
    return locks[Math.floorMod(Arrays.hashCode(key), COUNT)];
  }
}
