package dev.gatehouse.common.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.rocksdb.ColumnFamilyHandle;

/**
 * Determines since when nothing can have been lost. While the data are open they contain the id of the machine's boot. If the
 * next opening finds the id of another boot, the machine went down with the store open: the last second may be missing.
 */
final class RocksLife {

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final byte[] OPEN_IN_BOOT = Bytes.utf8("open-in-boot");
  private static final byte[] PROBE = Bytes.utf8("probe");
  private static final byte[] COMPLETE_SINCE = Bytes.utf8("complete-since");

  /**
   * New data usually follow nothing, so they count as complete from a minute before. Without it a new installation would refuse
   * everything unsolicited in its first minute, because readers of {@link ReplayCache#completeSince} allow for fast clocks.
   */
  private static final Duration BEFORE_NEW = Duration.ofMinutes(1);

  private final RocksEngine engine;
  private final ColumnFamilyHandle family;
  private final String bootId;

  RocksLife(RocksEngine engine, String bootId) {
    this.engine = engine;
    this.family = engine.family("life");
    this.bootId = bootId;
  }

  /** Returns the kernel's id of this boot; if it cannot be read, a random one. */
  static String bootId() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }

  /** Marks the data as open and returns the time since which they are complete. */
  Instant begin(Instant now) {
    Optional<Instant> known =
        engine.get(family, COMPLETE_SINCE).map(bytes -> Bytes.instant(ByteBuffer.wrap(bytes)));
    Optional<String> openInBoot =
        engine.get(family, OPEN_IN_BOOT).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    boolean mayHaveLost = openInBoot.isPresent() && !openInBoot.get().equals(bootId);
    Instant since = mayHaveLost ? now : known.orElseGet(() -> now.minus(BEFORE_NEW));
    try (RocksBatch batch = engine.batch()) {
      batch.put(family, COMPLETE_SINCE, Bytes.instant(since));
      batch.put(family, OPEN_IN_BOOT, Bytes.utf8(bootId));
      batch.commit(true);
    }
    return since;
  }

  /** Records that everything before is unknown: for a store created in place of a lost one. */
  void loseAllBefore(Instant time) {
    try (RocksBatch batch = engine.batch()) {
      batch.put(family, COMPLETE_SINCE, Bytes.instant(time));
      batch.commit(true);
    }
  }

  /** Writes an unused key to find out whether the store can be written again. */
  void probe() {
    try (RocksBatch batch = engine.batch()) {
      batch.mark(family, PROBE);
      batch.commit(true);
    }
  }

  /** Marks the data as closed; all earlier writes are on disk when it returns. */
  void end() {
    try (RocksBatch batch = engine.batch()) {
      batch.delete(family, OPEN_IN_BOOT);
      batch.commit(true);
    }
  }
}
