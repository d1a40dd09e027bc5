package dev.gatehouse.common.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.WriteBatch;

/** An engine in memory that counts writes, reads and iterators, and whose writes fail when a test says so. */
final class FaultyEngine extends RocksEngine {

  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger iterators = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

  FaultyEngine() {
    super(new RocksDatabase(), RocksProblem.ofMemory());
  }

  /** Lets so many further writes succeed. */
  void failAfter(int more) {
    left.set(more);
  }

  int writes() {
    return writes.get();
  }

  int reads() {
    return reads.get();
  }

  int iterators() {
    return iterators.get();
  }

  @Override
  void write(WriteBatch batch, boolean sync) {
    if (left.getAndUpdate(more -> Math.max(0, more - 1)) == 0) {
      throw new StoreUnavailable("A failure of the test", new IllegalStateException("of the test"));
    }
    writes.incrementAndGet();
    super.write(batch, sync);
  }

  @Override
  Optional<byte[]> get(ColumnFamilyHandle family, byte[] key) {
    reads.incrementAndGet();
    return super.get(family, key);
  }

  @Override
  List<byte[]> keys(ColumnFamilyHandle family, byte[] prefix, byte[] from, int limit, Predicate<byte[]> isLast) {
    iterators.incrementAndGet();
    return super.keys(family, prefix, from, limit, isLast);
  }
}
