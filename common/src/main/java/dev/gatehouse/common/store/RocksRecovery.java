package dev.gatehouse.common.store;

import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;

/**
 * What RocksDB forgives when it opens: an unfinished last record of the log, which kill -9 or loss of power leaves, and
 * nothing else. Its default (point in time) cuts the log off at the first damaged byte and says nothing. What looks like an
 * unfinished end and is more is found by {@link dev.gatehouse.common.installation.Positions}.
 */
final class RocksRecovery {

  private static final byte[] FAMILIES = "families".getBytes(StandardCharsets.UTF_8);

  private RocksRecovery() {}

  /** Options that only a text sets in this version, and the recovery mode. */
  static DBOptions strictOptions() {
    Properties properties = new Properties();
    // A log file that is missing or shorter than it was when the next one began.
    // Not "track_and_verify_wals", too: with it RocksDB never goes on after a full disk.
    properties.setProperty("track_and_verify_wals_in_manifest", "true");
    DBOptions options = DBOptions.getDBOptionsFromProps(properties);
    if (options == null) {
      throw new IllegalStateException("This version of RocksDB does not know " + properties);
    }
    return options.setParanoidChecks(true).setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords);
  }

  /** Tables or logs without the file that says which of them count: RocksDB would remove them and begin anew. */
  static void requireCurrent(Path directory) throws IOException {
    if (Files.exists(directory.resolve("CURRENT"))) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      boolean hasContent =
          files.map(file -> file.getFileName().toString()).anyMatch(name -> name.matches("[0-9]+\\.(sst|log)|MANIFEST-[0-9]+"));
      if (hasContent) {
        throw new StoreDamaged(StoreName.ROCKSDB, directory.resolve("CURRENT"), "is missing", new IOException("no CURRENT"));
      }
    }
  }

  /** Reads every block of every table and compares its checksum. */
  static void verify(RocksDB db) throws RocksDBException {
    db.verifyChecksum();
  }

  /**
   * A damaged byte at the end of the manifest looks like an unfinished change: the family that it added would be gone with
   * all that it holds. The names stand in the family that is always there.
   */
  static void requireFamilies(RocksDB db, Set<String> opened) throws RocksDBException {
    byte[] noted = db.get(FAMILIES);
    if (noted == null) {
      noteFamilies(db, opened);
      return;
    }
    for (String name : new String(noted, StandardCharsets.UTF_8).split("\n", -1)) {
      if (!opened.contains(name)) {
        throw new RocksDBException("corruption: the manifest has lost the family " + name);
      }
    }
  }

  static void noteFamilies(RocksDB db, Set<String> names) throws RocksDBException {
    db.put(FAMILIES, String.join("\n", new TreeSet<>(names)).getBytes(StandardCharsets.UTF_8));
  }

  /** Whether opening failed because of what the files hold, or because some are missing, and not for want of access. */
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
