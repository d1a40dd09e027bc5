package dev.gatehouse.common.db;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The checksum of each block of the open file, as of its last write or successful verification. Blocks outside valid chunks have
 * none. One thread writes at a time while others read.
 */
final class BlockSums {

  private static final int UNKNOWN = 0;

  private volatile AtomicIntegerArray sums = new AtomicIntegerArray(1024);

  /** Returns the checksum of the block; 0 if it is not known. */
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

  /** Records the checksums of consecutive blocks. */
  void put(long first, int[] sumsOfBlocks) {
    AtomicIntegerArray now = withCapacity(Math.toIntExact(first + sumsOfBlocks.length));
    for (int i = 0; i < sumsOfBlocks.length; i++) {
      now.set((int) first + i, known(sumsOfBlocks[i]));
    }
  }

  /** Calculates the checksum of a block in the form of {@link #of}. */
  static int sum(ByteBuffer block) {
    return known(ChunkFooter.sumOfBlock(block));
  }

  private static int known(int sum) {
    return sum == UNKNOWN ? 1 : sum;
  }

  private synchronized AtomicIntegerArray withCapacity(int count) {
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
