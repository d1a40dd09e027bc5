package dev.gatehouse.common.db;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * What each block of the open file was when it was written or found whole; not for blocks of no whole chunk. One thread writes
 * at a time, others read meanwhile.
 */
final class BlockSums {

  private static final int UNKNOWN = 0;

  private volatile AtomicIntegerArray sums = new AtomicIntegerArray(1024);

  /** 0 where it is not known. */
  int of(long block) {
    AtomicIntegerArray now = sums;
    return block < now.length() ? now.get((int) block) : UNKNOWN;
  }

  void forget(long first, long count) {
    AtomicIntegerArray now = sums;
    for (long block = first; block < Math.min(first + count, now.length()); block++) {
      now.set((int) block, UNKNOWN);
    }
  }

  void forgetFrom(long first) {
    forget(first, Math.max(0, sums.length() - first));
  }

  /** Knows these blocks from now on. */
  void put(long first, int[] sumsOfBlocks) {
    AtomicIntegerArray now = large(Math.toIntExact(first + sumsOfBlocks.length));
    for (int i = 0; i < sumsOfBlocks.length; i++) {
      now.set((int) first + i, known(sumsOfBlocks[i]));
    }
  }

  /** As {@link #of} says it. */
  static int sum(ByteBuffer block) {
    return known(ChunkFooter.sumOfBlock(block));
  }

  private static int known(int sum) {
    return sum == UNKNOWN ? 1 : sum;
  }

  private synchronized AtomicIntegerArray large(int count) {
    AtomicIntegerArray now = sums;
    if (count <= now.length()) {
      return now;
    }
    AtomicIntegerArray larger = new AtomicIntegerArray(Math.max(count, now.length() * 2));
    for (int i = 0; i < now.length(); i++) {
      larger.set(i, now.get(i));
    }
    sums = larger;
    return larger;
  }
}
