package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.MetricFamily;
import dev.gatehouse.common.metric.SampleFamily;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;

/** What RocksDB says of the memory that it holds, which no tool of the JVM sees. */
class RocksMemoryTest {
  private static final int RECORDS = 1000;
  private static final int RECORD_BYTES = 1000;
  private static final double MOST_OF_THEM = 0.8 * RECORDS * RECORD_BYTES;

  @TempDir Path data;

  @Test
  void whatIsWrittenIsInMemtablesAndWhatIsReadFromTablesInTheCache() {
    try (RocksEngine engine = RocksEngine.onDisk(data, List.of("sessions"))) {
      ColumnFamilyHandle family = engine.family("sessions");
      double none = bytes(engine, "memtables");
      try (RocksBatch batch = engine.batch()) {
        for (int i = 0; i < RECORDS; i++) {
          batch.put(family, key(i), new byte[RECORD_BYTES]);
        }
        batch.commit(false);
      }
      assertThat(bytes(engine, "memtables") - none).isGreaterThan(MOST_OF_THEM);
      double empty = bytes(engine, "block-cache");
      engine.flush();
      for (int i = 0; i < RECORDS; i++) {
        assertThat(engine.get(family, key(i))).isPresent();
      }
      assertThat(bytes(engine, "memtables") - none).isLessThan(MOST_OF_THEM);
      assertThat(bytes(engine, "block-cache") - empty).isGreaterThan(MOST_OF_THEM);
      assertThat(bytes(engine, "table-readers")).isPositive();
    }
  }

  /** A sum over the families would count it once for each. */
  @Test
  void theCacheThatAllFamiliesShareCountsOnce() {
    try (RocksEngine engine = RocksEngine.onDisk(data, List.of("sessions"))) {
      ColumnFamilyHandle family = engine.family("sessions");
      try (RocksBatch batch = engine.batch()) {
        batch.put(family, key(1), new byte[RECORD_BYTES]);
        batch.commit(false);
      }
      engine.flush();
      assertThat(engine.get(family, key(1))).isPresent();
      double before = bytes(engine, "block-cache");
      assertThat(before).isPositive();
      engine.family("codes");
      assertThat(bytes(engine, "block-cache")).isEqualTo(before);
    }
  }

  @Test
  void isAMetricUntilTheStoresAreClosed() {
    MetricFamilies metrics = MetricFamilies.unpublished();
    try (RocksStores stores = new RocksStores(data, new TestTime())) {
      stores.publish(metrics);
      assertThat(samples(metrics)).containsOnlyKeys(List.of("block-cache"), List.of("memtables"), List.of("table-readers"));
    }
    assertThat(samples(metrics)).isEmpty();
  }

  private static double bytes(RocksEngine engine, String part) {
    return engine.memory().getOrDefault(List.of(part), Double.NaN);
  }

  private static byte[] key(int number) {
    return Bytes.utf8("key" + number);
  }

  private static Map<List<String>, Double> samples(MetricFamilies metrics) {
    for (MetricFamily family : metrics.families()) {
      if (family instanceof SampleFamily samples && samples.name().equals("gatehouse.store.memory")) {
        return samples.samples();
      }
    }
    throw new AssertionError("there is no such metric");
  }
}
