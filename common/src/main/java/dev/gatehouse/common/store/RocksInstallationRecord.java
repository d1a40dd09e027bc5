package dev.gatehouse.common.store;

import dev.gatehouse.common.installation.RecordLocation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.rocksdb.ColumnFamilyHandle;

/** Stores which installation RocksDB belongs to and since when its revocations are complete, in the family {@code life}. */
final class RocksInstallationRecord implements RecordLocation {

  private static final byte[] RECORD = Bytes.utf8("installation");
  private static final byte[] TOKENS_NOT_BEFORE = Bytes.utf8("tokens-not-before");

  private final RocksEngine engine;
  private final ColumnFamilyHandle family;

  RocksInstallationRecord(RocksEngine engine) {
    this.engine = engine;
    this.family = engine.family("life");
  }

  @Override
  public Optional<String> read() {
    return engine.get(family, RECORD).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public void write(String text) {
    put(RECORD, Bytes.utf8(text));
  }

  Instant tokensNotBefore() {
    return engine
        .get(family, TOKENS_NOT_BEFORE)
        .map(bytes -> Bytes.instant(ByteBuffer.wrap(bytes)))
        .orElse(Instant.EPOCH);
  }

  void refuseTokensBefore(Instant time) {
    put(TOKENS_NOT_BEFORE, Bytes.instant(time));
  }

  private void put(byte[] key, byte[] value) {
    try (RocksBatch batch = engine.batch()) {
      batch.put(family, key, value);
      batch.commit(true);
    }
  }
}
