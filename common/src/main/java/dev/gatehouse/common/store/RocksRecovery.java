package dev.gatehouse.common.store;

import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;

/**
 * Restricts what RocksDB tolerates when it opens: only an unfinished last record of the log, which kill -9 or loss of power
 * leaves. Its default (point in time) silently cuts the log off at the first damaged byte. {@link
 * dev.gatehouse.common.installation.SyncedPositions} finds damage that looks like an unfinished end.
 */
final class RocksRecovery {

  private static final byte[] FAMILIES = "families".getBytes(StandardCharsets.UTF_8);

  private static final Pattern CONTENT = Pattern.compile("[0-9]+\\.(sst|log|blob)|MANIFEST-[0-9]+");
  private static final String FIRST_MANIFEST = "MANIFEST-000001";

  private RocksRecovery() {}

  /** Returns the recovery mode and options that this version sets only from a text. */
  static DBOptions strictOptions() {
    Properties properties = new Properties();
    // Detects a log file that is missing or shorter than it was when the next one began.
    // "track_and_verify_wals" is not set as well: with it RocksDB never recovers from a full disk.
    properties.setProperty("track_and_verify_wals_in_manifest", "true");
    DBOptions options = DBOptions.getDBOptionsFromProps(properties);
    if (options == null) {
      throw new IllegalStateException("This version of RocksDB does not know " + properties);
    }
    return options.setParanoidChecks(true).setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords);
  }

  /**
   * Refuses tables or logs without the file {@code CURRENT}, which says which of them count: RocksDB would remove them and
   * begin anew.
   *
   * <p>The first manifest alone is what kill -9 leaves while RocksDB is created for the first time: RocksDB writes {@code
   * MANIFEST-000001}, then {@code CURRENT}, and begins another manifest and the first log afterwards, before it takes any
   * change. No other state has that number without logs and tables. Nothing was ever acknowledged then, so the database is
   * created again. If the installation's records know of the store, it was refused before, see {@link
   * dev.gatehouse.common.installation.Installation#requireFiles}.
   */
  static void requireCurrent(Path directory) throws IOException {
    if (PrivateFiles.look(directory.resolve("CURRENT")).isPresent()) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<String> content =
          files.map(file -> file.getFileName().toString()).filter(name -> CONTENT.matcher(name).matches()).toList();
      if (content.equals(List.of(FIRST_MANIFEST))) {
        Files.delete(directory.resolve(FIRST_MANIFEST));
      } else if (!content.isEmpty()) {
        throw new StoreDamaged(StoreName.ROCKSDB, directory.resolve("CURRENT"), "is missing", new IOException("no CURRENT"));
      }
    }
  }

  /** Reads every block of every table and verifies its checksum. */
  static void verify(RocksDB db) throws RocksDBException {
    db.verifyChecksum();
  }

  /**
   * Requires all column families that were ever created. A damaged byte at the end of the manifest looks like an unfinished
   * change: the family that this change added would be lost with all its content. The default family holds the names.
   */
  static void requireFamilies(RocksDB db, Set<String> opened) throws RocksDBException {
    byte[] recorded = db.get(FAMILIES);
    if (recorded == null) {
      recordFamilies(db, opened);
      return;
    }
    for (String name : new String(recorded, StandardCharsets.UTF_8).split("\n", -1)) {
      if (!opened.contains(name)) {
        throw new RocksDBException("corruption: the manifest has lost the family " + name);
      }
    }
  }

  static void recordFamilies(RocksDB db, Set<String> names) throws RocksDBException {
    db.put(FAMILIES, String.join("\n", new TreeSet<>(names)).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns whether opening failed because of damaged or missing files, and not for lack of access. */
  static boolean isDamage(RocksDBException failure) {
    String message = String.valueOf(failure.getMessage());
    Status status = failure.getStatus();
    Status.Code code = status == null ? Status.Code.Undefined : status.getCode();
    return code == Status.Code.Corruption
        || code == Status.Code.InvalidArgument
        || message.contains("No such file")
        || message.contains("checksum")
        || message.contains("orrupt");
  }
}
