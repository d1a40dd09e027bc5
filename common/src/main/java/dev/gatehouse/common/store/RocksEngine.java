package dev.gatehouse.common.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.LogFile;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.TableProperties;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The only RocksDB instance of a data directory, or one in memory. It opens the directory exclusively, uses little memory, and
 * closes without freeing memory that a thread still uses.
 *
 * <p>When {@link #write} returns, the operating system has the data: they survive any end of the process. They reach the disk
 * when {@link #sync} is called. In memory there is neither a log nor a disk.
 *
 * <p>Not final: the writes of an engine of tests can fail.
 */
class RocksEngine implements AutoCloseable {

  private final RocksDatabase database;
  private final RocksDB db;
  private final WriteOptions unsynced;
  private final WriteOptions synced;
  private final RocksProblem problem;
  private final StoreTimes times = new StoreTimes();
  private final AtomicInteger users = new AtomicInteger();
  private volatile boolean closed;
  // Invalid before the first sync: the writes of an earlier process may not be on the disk either.
  private volatile long syncedUntil = -1;

  RocksEngine(RocksDatabase database, RocksProblem problem) {
    this.database = database;
    this.db = database.db();
    this.unsynced = database.writeOptions(false);
    this.synced = database.writeOptions(true);
    this.problem = problem;
  }

  /**
   * Opens or creates the database of a directory.
   *
   * @param expected the column families that a new database gets at once
   * @throws StoreUnavailable if it cannot be opened, for example because another process has the directory open
   */
  static RocksEngine onDisk(Path directory, Collection<String> expected) {
    return new RocksEngine(new RocksDatabase(directory, expected), RocksProblem.ofDisk(directory));
  }

  /** Creates an empty database in memory, which is lost when it is closed. */
  static RocksEngine inMemory() {
    return new RocksEngine(new RocksDatabase(), RocksProblem.ofMemory());
  }

  boolean isInMemory() {
    return database.isInMemory();
  }

  StoreTimes times() {
    return times;
  }

  /** Returns the size of all tables and memtables. */
  long bytes() {
    return ask(RocksDatabase::bytes);
  }

  /** Returns how many bytes of memory RocksDB holds, by what they are for. */
  Map<List<String>, Double> memory() {
    return ask(RocksDatabase::memory);
  }

  /** Returns about how many keys each column family has. */
  Map<List<String>, Double> keys() {
    return ask(RocksDatabase::keys);
  }

  /** Returns the column family of that name; creates it if necessary. */
  ColumnFamilyHandle family(String name) {
    return ask(open -> open.family(name));
  }

  private <T> T ask(Question<T> question) {
    enter();
    try {
      return question.of(database);
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
  }

  @FunctionalInterface
  private interface Question<T> {
    T of(RocksDatabase database) throws RocksDBException;
  }

  Optional<byte[]> get(ColumnFamilyHandle family, byte[] key) {
    long begun = System.nanoTime();
    enter();
    try {
      return Optional.ofNullable(db.get(family, key));
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
      times.read(begun);
    }
  }

  /** Begins a batch. The database stays open until it is closed. */
  RocksBatch batch() {
    enter();
    return new RocksBatch(this);
  }

  /** Writes the whole batch or nothing. It survives kill -9 when the method returns, with {@code sync} also loss of power. */
  void write(WriteBatch batch, boolean sync) {
    long begun = System.nanoTime();
    enter();
    try {
      db.write(sync ? synced : unsynced, batch);
      problem.written();
    } catch (RocksDBException e) {
      problem.writeFailed(e);
      throw failed(e);
    } finally {
      leave();
      times.written(begun);
    }
  }

  /** Returns why the last write or the last sync failed; empty if both succeeded. */
  Optional<String> problem() {
    return problem.sentence();
  }

  /** After a failure, checks whether the disk can be written. */
  void probeDisk() {
    problem.probe();
  }

  /** Forces to disk the writes since the last sync. */
  void sync() {
    enter();
    try {
      // Read before the sync: the sync may miss a change that is written meanwhile, so the next sync must cover it.
      long reached = db.getLatestSequenceNumber();
      if (reached != syncedUntil && !database.isInMemory()) {
        long begun = System.nanoTime();
        db.syncWal();
        times.synced(begun);
        syncedUntil = reached;
      }
      problem.synced();
    } catch (RocksDBException e) {
      problem.syncFailed(e);
      throw failed(e);
    } finally {
      leave();
    }
  }

  /** Returns the sequence number of the latest change; it only grows, across restarts too. */
  long position() {
    enter();
    try {
      return db.getLatestSequenceNumber();
    } finally {
      leave();
    }
  }

  /**
   * Frees the disk space of deleted records: begins a new log if the present logs exceed {@code logBytes}, and compacts
   * families in which deletions or deleted records are the majority.
   */
  void tidy(long logBytes) {
    long logs = 0;
    enter();
    try {
      for (LogFile log : db.getSortedWalFiles()) {
        logs += log.sizeFileBytes();
      }
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
    if (logs > logBytes) {
      flush();
    }
    database.families().forEach(this::compactWhereDeleted);
  }

  private void compactWhereDeleted(ColumnFamilyHandle family) {
    enter();
    try {
      long entries = 0;
      long deletions = 0;
      for (TableProperties table : db.getPropertiesOfAllTables(family).values()) {
        entries += table.getNumEntries();
        deletions += table.getNumDeletions();
      }
      // Each deletion is stored beside the record it deletes: a third of all entries means that half of the records are deleted.
      if (deletions * 3 > entries) {
        db.compactRange(family);
      }
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
  }

  /** Writes all memtables to tables; the earlier log is then unnecessary and is removed. */
  void flush() {
    enter();
    try (FlushOptions options = new FlushOptions()) {
      db.flush(options, database.families());
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
  }

  /** Returns up to {@code limit} keys that begin with {@code prefix}, in order, starting at {@code from} (inclusive). */
  List<byte[]> keys(ColumnFamilyHandle family, byte[] prefix, byte[] from, int limit) {
    return keys(family, prefix, from, limit, key -> false);
  }

  /** Returns such keys up to the first that {@code isLast} accepts (inclusive). */
  List<byte[]> keys(ColumnFamilyHandle family, byte[] prefix, byte[] from, int limit, Predicate<byte[]> isLast) {
    List<byte[]> keys = new ArrayList<>();
    enter();
    // The upper bound keeps the iterator from scanning deleted entries behind the last match.
    try (Slice end = new Slice(Bytes.successor(prefix));
        ReadOptions options = new ReadOptions().setIterateUpperBound(end);
        RocksIterator iterator = db.newIterator(family, options)) {
      boolean ended = false;
      for (iterator.seek(from); !ended && keys.size() < limit && iterator.isValid(); iterator.next()) {
        byte[] key = iterator.key();
        keys.add(key);
        ended = isLast.test(key);
      }
      iterator.status();
      return keys;
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
  }

  /** Counts the keys that begin with {@code prefix}. Reads them all, so it is for the start only. */
  long count(ColumnFamilyHandle family, byte[] prefix) {
    enter();
    try (Slice end = new Slice(Bytes.successor(prefix));
        ReadOptions options = new ReadOptions().setIterateUpperBound(end).setFillCache(false);
        RocksIterator iterator = db.newIterator(family, options)) {
      long count = 0;
      for (iterator.seek(prefix); iterator.isValid(); iterator.next()) {
        count++;
      }
      iterator.status();
      return count;
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
  }

  /** Waits for running calls, then closes; later calls get {@link StoreUnavailable}. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    while (users.get() > 0) {
      LockSupport.parkNanos(1_000_000);
    }
    try {
      if (!database.isInMemory()) {
        db.syncWal();
      }
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      database.close();
    }
  }

  private void enter() {
    users.incrementAndGet();
    if (closed) {
      users.decrementAndGet();
      throw new StoreUnavailable("The store is closed");
    }
  }

  /** Ends a use of the database; called once for each batch, too. */
  void leave() {
    users.decrementAndGet();
  }

  private static StoreUnavailable failed(RocksDBException e) {
    return new StoreUnavailable("RocksDB failed: " + e.getMessage(), e);
  }
}
