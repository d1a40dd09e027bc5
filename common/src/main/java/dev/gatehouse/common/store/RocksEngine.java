package dev.gatehouse.common.store;

import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.LogFile;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Slice;
import org.rocksdb.TableProperties;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The only RocksDB instance of a data directory. It opens the directory exclusively, uses little memory, and closes without
 * freeing memory that a thread still uses.
 *
 * <p>When {@link #write} returns, the operating system has the data: they survive any end of the process. They reach the disk
 * when {@link #sync} is called.
 */
final class RocksEngine implements AutoCloseable {

  private static final long CACHE_BYTES = 32 << 20;
  private static final long MEMTABLE_BYTES = 4 << 20;
  private static final long ALL_MEMTABLES_BYTES = 24 << 20;
  private static final long WAL_BYTES = 64 << 20;

  private final List<RocksObject> owned = new ArrayList<>();
  private final Map<String, ColumnFamilyHandle> families = new HashMap<>();
  private final ColumnFamilyOptions familyOptions;
  private final RocksDB db;
  private final WriteOptions unsynced;
  private final WriteOptions synced;
  private final AtomicInteger users = new AtomicInteger();
  private volatile boolean closed;
  // Invalid before the first sync: the writes of an earlier process may not be on the disk either.
  private volatile long syncedUntil = -1;
  private final RocksProblem problem;

  /**
   * Opens or creates the database.
   *
   * @throws StoreUnavailable if it cannot be opened, for example because another process has the directory open
   */
  RocksEngine(Path directory) {
    problem = new RocksProblem(directory);
    RocksDB.loadLibrary();
    LRUCache cache = own(new LRUCache(CACHE_BYTES));
    familyOptions = own(familyOptions(cache, own(new BloomFilter(10))));
    DBOptions options = own(RocksRecovery.strictOptions());
    configure(options);
    unsynced = own(new WriteOptions());
    synced = own(new WriteOptions().setSync(true));
    try {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      RocksRecovery.requireCurrent(directory);
      db = verified(open(options, directory));
    } catch (StoreDamaged e) {
      closeOwned();
      throw e;
    } catch (IOException | RocksDBException e) {
      closeOwned();
      throw cannotOpen(directory, e);
    }
  }

  private static void configure(DBOptions options) {
    options
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setDbWriteBufferSize(ALL_MEMTABLES_BYTES)
        // Bounds both the size of the log on disk and the time to read it after kill -9.
        .setMaxTotalWalSize(WAL_BYTES)
        .setMaxOpenFiles(256)
        .setMaxBackgroundJobs(2)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setStatsDumpPeriodSec(0)
        .setMaxLogFileSize(1 << 20)
        .setKeepLogFileNum(3);
  }

  private static ColumnFamilyOptions familyOptions(LRUCache cache, BloomFilter filter) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setFilterPolicy(filter)
            // They take about 10 MB with a million sessions. In so small a cache they would evict each other: then each of
            // 400,000 sessions took 270 microseconds to read.
            .setCacheIndexAndFilterBlocks(false);
    return new ColumnFamilyOptions()
        .setTableFormatConfig(table)
        .setWriteBufferSize(MEMTABLE_BYTES)
        .setCompressionType(CompressionType.LZ4_COMPRESSION);
  }

  private RocksDB open(DBOptions options, Path directory) throws RocksDBException {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    try (Options plain = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(plain, directory.toString())) {
        descriptors.add(new ColumnFamilyDescriptor(name, familyOptions));
      }
    }
    if (descriptors.isEmpty()) {
      descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksDB opened = RocksDB.open(options, directory.toString(), descriptors, handles);
    for (ColumnFamilyHandle handle : handles) {
      families.put(new String(handle.getName(), StandardCharsets.UTF_8), handle);
    }
    return opened;
  }

  private RocksDB verified(RocksDB opened) throws RocksDBException {
    try {
      RocksRecovery.verify(opened);
      RocksRecovery.requireFamilies(opened, families.keySet());
      return opened;
    } catch (RocksDBException e) {
      families.values().forEach(ColumnFamilyHandle::close);
      opened.close();
      throw e;
    }
  }

  private static RuntimeException cannotOpen(Path directory, Exception cause) {
    String message = String.valueOf(cause.getMessage());
    if (message.contains("lock file") || message.contains("lock hold")) {
      return new StoreUnavailable(
          "Another process (or another part of this one) has the data in " + directory + " open: " + message, cause);
    }
    if (cause instanceof RocksDBException failure && RocksRecovery.isDamage(failure)) {
      return new StoreDamaged(StoreName.ROCKSDB, directory, "is damaged (" + message + ")", cause);
    }
    return new StoreUnavailable("Cannot open the data in " + directory + ": " + message, cause);
  }

  /** Returns the column family of that name; creates it if necessary. */
  synchronized ColumnFamilyHandle family(String name) {
    ColumnFamilyHandle known = families.get(name);
    if (known != null) {
      return known;
    }
    enter();
    try {
      ColumnFamilyHandle made =
          db.createColumnFamily(new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), familyOptions));
      families.put(name, made);
      RocksRecovery.recordFamilies(db, families.keySet());
      return made;
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
  }

  Optional<byte[]> get(ColumnFamilyHandle family, byte[] key) {
    enter();
    try {
      return Optional.ofNullable(db.get(family, key));
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
  }

  /** Writes the whole batch or nothing. It survives kill -9 when the method returns, with {@code sync} also loss of power. */
  void write(WriteBatch batch, boolean sync) {
    enter();
    try {
      db.write(sync ? synced : unsynced, batch);
      problem.written();
    } catch (RocksDBException e) {
      problem.writeFailed(e);
      throw failed(e);
    } finally {
      leave();
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
      if (reached != syncedUntil) {
        db.syncWal();
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
    all().forEach(this::compactWhereDeleted);
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

  private synchronized List<ColumnFamilyHandle> all() {
    return List.copyOf(families.values());
  }

  /** Writes all memtables to tables; the earlier log is then unnecessary and is removed. */
  void flush() {
    enter();
    try (FlushOptions options = new FlushOptions()) {
      db.flush(options, all());
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      leave();
    }
  }

  /** Returns up to {@code limit} keys that begin with {@code prefix}, in order, starting at {@code from} (inclusive). */
  List<byte[]> keys(ColumnFamilyHandle family, byte[] prefix, byte[] from, int limit) {
    List<byte[]> keys = new ArrayList<>();
    enter();
    // The upper bound keeps the iterator from scanning deleted entries behind the last match.
    try (Slice end = new Slice(Bytes.successor(prefix));
        ReadOptions options = new ReadOptions().setIterateUpperBound(end);
        RocksIterator iterator = db.newIterator(family, options)) {
      for (iterator.seek(from); keys.size() < limit && iterator.isValid(); iterator.next()) {
        keys.add(iterator.key());
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
      db.syncWal();
    } catch (RocksDBException e) {
      throw failed(e);
    } finally {
      families.values().forEach(ColumnFamilyHandle::close);
      db.close();
      closeOwned();
    }
  }

  private void enter() {
    users.incrementAndGet();
    if (closed) {
      users.decrementAndGet();
      throw new StoreUnavailable("The store is closed");
    }
  }

  private void leave() {
    users.decrementAndGet();
  }

  private <T extends RocksObject> T own(T object) {
    owned.add(object);
    return object;
  }

  private void closeOwned() {
    owned.reversed().forEach(RocksObject::close);
  }

  private static StoreUnavailable failed(RocksDBException e) {
    return new StoreUnavailable("RocksDB failed: " + e.getMessage(), e);
  }
}
