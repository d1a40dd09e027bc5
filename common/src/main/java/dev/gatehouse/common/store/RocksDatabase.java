package dev.gatehouse.common.store;

import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.RocksObject;
import org.rocksdb.WriteOptions;

/**
 * An open RocksDB with its column families, and the native objects that must live as long as it. The options keep its memory small.
 */
final class RocksDatabase implements AutoCloseable {

  private static final long CACHE_BYTES = 32 << 20;
  private static final long MEMTABLE_BYTES = 4 << 20;

  /** The share of a memtable for its Bloom filter, 16 bits an entry of 100 bytes: most keys that are read before a write are new. */
  private static final double MEMTABLE_FILTER = 0.02;

  /**
   * The step in which a memtable grows. With the usual step, an eighth of a memtable, the Bloom filters of some dozen families alone
   * reached the bound of all memtables, and each write made RocksDB write a table.
   */
  private static final long MEMTABLE_STEP_BYTES = 64 << 10;

  private static final long ALL_MEMTABLES_BYTES = 24 << 20;
  private static final long WAL_BYTES = 64 << 20;

  /** The property of RocksDB with the size of all memtables that are not written to tables yet. */
  private static final String MEMTABLES = "rocksdb.cur-size-all-mem-tables";

  static {
    RocksDB.loadLibrary();
  }

  private final List<RocksObject> owned = new ArrayList<>();
  private final Map<String, ColumnFamilyHandle> families = new HashMap<>();
  private final DBOptions options = own(RocksRecovery.strictOptions());
  private final ColumnFamilyOptions familyOptions = own(familyOptions());
  private final boolean inMemory;
  private final RocksDB db;

  /**
   * Opens or creates a database on disk.
   *
   * @param expected the families that a new database gets at once: each that is created later makes RocksDB write, force to disk and
   *     read again a file with the options of all families
   * @throws StoreUnavailable if it cannot be opened, for example because another process has the directory open
   */
  RocksDatabase(Path directory, Collection<String> expected) {
    configure(options);
    inMemory = false;
    try {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      RocksRecovery.requireCurrent(directory);
      db = verified(open(directory.toString(), familiesOnDisk(directory, expected)));
    } catch (StoreDamaged e) {
      closeOwned();
      throw e;
    } catch (IOException | RocksDBException e) {
      closeOwned();
      throw cannotOpen(directory, e);
    }
  }

  /** Creates an empty database in memory. */
  RocksDatabase() {
    configure(options);
    options.setEnv(own(new RocksMemEnv(Env.getDefault())));
    inMemory = true;
    try {
      db = open("/memory", List.of(RocksDB.DEFAULT_COLUMN_FAMILY));
    } catch (RocksDBException e) {
      closeOwned();
      throw new StoreUnavailable("Cannot create stores in memory: " + e.getMessage(), e);
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

  private ColumnFamilyOptions familyOptions() {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(own(new LRUCache(CACHE_BYTES)))
            .setFilterPolicy(own(new BloomFilter(10)))
            // They take about 10 MB with a million sessions. In so small a cache they would evict each other: then each of
            // 400,000 sessions took 270 microseconds to read.
            .setCacheIndexAndFilterBlocks(false);
    return new ColumnFamilyOptions()
        .setTableFormatConfig(table)
        .setWriteBufferSize(MEMTABLE_BYTES)
        .setArenaBlockSize(MEMTABLE_STEP_BYTES)
        .setMemtableWholeKeyFiltering(true)
        .setMemtablePrefixBloomSizeRatio(MEMTABLE_FILTER)
        .setCompressionType(CompressionType.LZ4_COMPRESSION);
  }

  private static List<byte[]> familiesOnDisk(Path directory, Collection<String> expected) throws RocksDBException {
    try (Options plain = new Options()) {
      List<byte[]> names = RocksDB.listColumnFamilies(plain, directory.toString());
      if (!names.isEmpty()) {
        return names;
      }
      List<byte[]> first = new ArrayList<>(List.of(RocksDB.DEFAULT_COLUMN_FAMILY));
      expected.forEach(name -> first.add(name.getBytes(StandardCharsets.UTF_8)));
      return first;
    }
  }

  private RocksDB open(String directory, List<byte[]> names) throws RocksDBException {
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksDB opened =
        RocksDB.open(
            options,
            directory,
            names.stream().map(name -> new ColumnFamilyDescriptor(name, familyOptions)).toList(),
            handles);
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

  RocksDB db() {
    return db;
  }

  boolean isInMemory() {
    return inMemory;
  }

  /** Returns the column family of that name; creates it if necessary. */
  synchronized ColumnFamilyHandle family(String name) throws RocksDBException {
    ColumnFamilyHandle known = families.get(name);
    if (known != null) {
      return known;
    }
    ColumnFamilyHandle made =
        db.createColumnFamily(new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), familyOptions));
    families.put(name, made);
    if (!inMemory) {
      RocksRecovery.recordFamilies(db, families.keySet());
    }
    return made;
  }

  synchronized List<ColumnFamilyHandle> families() {
    return List.copyOf(families.values());
  }

  /** Returns the size of all tables and memtables. */
  long bytes() throws RocksDBException {
    return db.getAggregatedLongProperty("rocksdb.total-sst-files-size") + db.getAggregatedLongProperty(MEMTABLES);
  }

  /** Returns how many bytes of memory it holds, by what they are for. */
  Map<List<String>, Double> memory() throws RocksDBException {
    return Map.of(
        // Of the default family, because all families share one cache.
        List.of("block-cache"), (double) db.getLongProperty("rocksdb.block-cache-usage"),
        List.of("memtables"), (double) db.getAggregatedLongProperty(MEMTABLES),
        List.of("table-readers"), (double) db.getAggregatedLongProperty("rocksdb.estimate-table-readers-mem"));
  }

  /** Returns about how many keys each column family has. */
  Map<List<String>, Double> keys() throws RocksDBException {
    Map<List<String>, Double> keys = new HashMap<>();
    for (ColumnFamilyHandle family : families()) {
      String name = new String(family.getName(), StandardCharsets.UTF_8);
      keys.put(List.of(name), (double) db.getLongProperty(family, "rocksdb.estimate-num-keys"));
    }
    return keys;
  }

  /** Creates options of writes; {@code sync} forces them to disk. In memory there is no log. */
  WriteOptions writeOptions(boolean sync) {
    return own(new WriteOptions().setSync(sync && !inMemory).setDisableWAL(inMemory));
  }

  @Override
  public void close() {
    families().forEach(ColumnFamilyHandle::close);
    db.close();
    closeOwned();
  }

  private <T extends RocksObject> T own(T object) {
    owned.add(object);
    return object;
  }

  private void closeOwned() {
    owned.reversed().forEach(RocksObject::close);
  }
}
