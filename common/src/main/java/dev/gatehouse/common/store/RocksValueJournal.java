package dev.gatehouse.common.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rocksdb.ColumnFamilyHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A journal in a column family of its own: the letter {@code d} and the key, and the value as its codec writes it. */
final class RocksValueJournal<V> implements ValueJournal<V> {

  private static final Logger LOG = LoggerFactory.getLogger(RocksValueJournal.class);
  private static final byte[] DATA = {'d'};
  private static final int READ_AT_ONCE = 1000;

  private final RocksEngine engine;
  private final ColumnFamilyHandle family;
  private final ValueCodec<V> codec;

  RocksValueJournal(RocksEngine engine, String name, ValueCodec<V> codec) {
    this.engine = engine;
    this.family = engine.family("journal." + name);
    this.codec = codec;
  }

  private static byte[] id(String key) {
    return Bytes.prefixed('d', Bytes.utf8(key));
  }

  @Override
  public void put(Map<String, V> values) {
    if (values.isEmpty()) {
      return;
    }
    try (RocksBatch batch = engine.batch()) {
      values.forEach((key, value) -> batch.put(family, id(key), codec.encode(value)));
      batch.commit(true);
    }
  }

  @Override
  public void remove(Collection<String> keys) {
    if (keys.isEmpty()) {
      return;
    }
    try (RocksBatch batch = engine.batch()) {
      keys.forEach(key -> batch.delete(family, id(key)));
      batch.commit(false);
    }
  }

  @Override
  public List<V> all() {
    List<V> values = new ArrayList<>();
    byte[] from = DATA;
    List<byte[]> keys;
    do {
      keys = engine.keys(family, DATA, from, READ_AT_ONCE);
      for (byte[] key : keys) {
        engine.get(family, key).flatMap(this::decoded).ifPresent(values::add);
        from = Bytes.following(key);
      }
    } while (keys.size() == READ_AT_ONCE);
    return List.copyOf(values);
  }

  private Optional<V> decoded(byte[] value) {
    try {
      return Optional.of(codec.decode(value));
    } catch (IllegalArgumentException e) {
      LOG.warn("A value of a journal cannot be read and stays", e);
      return Optional.empty();
    }
  }
}
