package dev.gatehouse.common.wait;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/** A fixed number of locks shared by all keys: equal keys have the same lock. */
public final class Stripes {

  private static final int COUNT = 512;

  private final ReentrantLock[] locks = new ReentrantLock[COUNT];

  public Stripes() {
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  public ReentrantLock of(byte[] key) {
    return at(Arrays.hashCode(key));
  }

  /** Returns the lock of a key with an {@code equals} of its own, which an array has not. */
  public ReentrantLock of(Object key) {
    return at(key.hashCode());
  }

  private ReentrantLock at(int hash) {
    return locks[Math.floorMod(hash, COUNT)];
  }
}
