package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksNewDataTest {
  private static final List<String> EXPECTED = List.of("life", "replay", "single-use.codes");

  @TempDir Path data;

  /** RocksDB writes a file with the options of all families for each family that is created later, under the next number. */
  @Test
  void haveTheExpectedFamiliesAtOnce() throws IOException {
    try (RocksStores stores = new RocksStores(data, () -> TestTime.START, EXPECTED)) {
      String first = options();
      SingleUseStore<String> codes = stores.singleUse("codes", new TextCodec());
      assertThat(codes.take("key")).isEqualTo(new TakeResult.Absent<>());
      assertThat(options()).isEqualTo(first);
      stores.singleUse("others", new TextCodec());
      assertThat(options()).isNotEqualTo(first);
    }
  }

  @Test
  void areOpenedWithoutTheFamiliesThatOnlyALaterNodeExpects() {
    new RocksStores(data, () -> TestTime.START, List.of("life")).close();
    try (RocksStores stores = new RocksStores(data, () -> TestTime.START, EXPECTED)) {
      assertThat(stores.singleUse("codes", new TextCodec()).take("key")).isEqualTo(new TakeResult.Absent<>());
      assertThat(stores.problem()).isEmpty();
    }
  }

  private String options() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("rocksdb"))) {
      return files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("OPTIONS-")).sorted().toList().toString();
    }
  }
}
