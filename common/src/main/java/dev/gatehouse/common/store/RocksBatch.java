package dev.gatehouse.common.store;

import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Changes that are written together or not at all. The database stays open until the batch is closed: a change of a column
 * family whose memory was freed would end the process.
 */
final class RocksBatch implements AutoCloseable {

  private static final byte[] NOTHING = {};

  private final RocksEngine engine;
  private final WriteBatch batch = new WriteBatch();

  /** Creates the batch of a caller that has entered the engine; {@link #close} leaves it. */
  RocksBatch(RocksEngine engine) {
    this.engine = engine;
  }

  void put(ColumnFamilyHandle family, byte[] key, byte[] value) {
    unchecked(() -> batch.put(family, key, value));
  }

  /** Adds a key without a value. */
  void mark(ColumnFamilyHandle family, byte[] key) {
    put(family, key, NOTHING);
  }

  void delete(ColumnFamilyHandle family, byte[] key) {
    unchecked(() -> batch.delete(family, key));
  }

  /** Writes the changes. They survive kill -9 when the method returns, with {@code sync} also loss of power. */
  void commit(boolean sync) {
    engine.write(batch, sync);
  }

  @Override
  public void close() {
    batch.close();
    engine.leave();
  }

  private static void unchecked(BatchCall call) {
    try {
      call.run();
    } catch (RocksDBException e) {
      throw new IllegalStateException("A batch could not take a change", e);
    }
  }

  @FunctionalInterface
  private interface BatchCall {
    void run() throws RocksDBException;
  }
}
