package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies are those that were kept last, or none. */
final class MappedCopiesTest {

  @TempDir Path data;

  private MappedCopies open() {
    return MappedCopies.open(data.resolve("copies"), "test").orElseThrow();
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void eachKeyHasTheCopyThatWasKeptLast() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, byte[]> expected = new HashMap<>();
    try (MappedCopies copies = open()) {
      for (int i = 0; i < 200_000; i++) {
        String key = "person " + random.nextInt(50_000);
        byte[] copy = bytes(random, random.nextInt(i % 1_000 == 0 ? 10_000 : 200));
        assertThat(copies.put(key, copy)).as("seed %s", seed).isTrue();
        expected.put(key, copy);
      }
      expected.forEach((key, copy) -> assertThat(copies.get(key)).as("seed %s, %s", seed, key).hasValue(copy));
      assertThat(copies.get("person 50000")).isEmpty();
      assertThat(copies.get("")).isEmpty();
    }
  }

  @Test
  void whatIsTooLongIsNotKept() {
    try (MappedCopies copies = open()) {
      assertThat(copies.put("a", new byte[] {1})).isTrue();
      assertThat(copies.put("a", new byte[1 << 20])).isFalse();
      assertThat(copies.put("b", new byte[0])).isTrue();
      assertThat(copies.get("a")).hasValue(new byte[] {1});
      assertThat(copies.get("b")).hasValue(new byte[0]);
    }
  }

  @Test
  void aStartBeginsWithNone() throws IOException {
    MappedCopies before = open();
    before.put("a", new byte[] {1});
    // The process was killed: nothing is closed.
    try (MappedCopies copies = open()) {
      assertThat(copies.get("a")).isEmpty();
    }
    assertThat(data.resolve("copies/test")).doesNotExist();
    before.close();
    assertThat(before.get("a")).isEmpty();
    assertThat(before.put("a", new byte[] {1})).isFalse();
  }

  @Test
  void thereAreNoneWhereTheDiskTakesNone() throws IOException {
    Files.writeString(data.resolve("copies"), "not a folder");
    assertThat(MappedCopies.open(data.resolve("copies"), "test")).isEmpty();
    try (RocksStores stores = new RocksStores(data, new TestTime()); RocksStores inMemory = RocksStores.inMemory(new TestTime())) {
      assertThat(stores.copies("test")).isEmpty();
      assertThat(inMemory.copies("test")).isEmpty();
    }
  }

  @Test
  void nobodyGetsAMixtureOfCopies() throws Exception {
    try (MappedCopies copies = open(); ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?>[] all =
          IntStream.range(0, 8)
              .mapToObj(
                  thread ->
                      threads.submit(
                          () -> {
                            Random random = new Random(thread);
                            for (int i = 0; i < 20_000; i++) {
                              String key = "k" + random.nextInt(100);
                              byte[] copy = new byte[1 + random.nextInt(100)];
                              Arrays.fill(copy, (byte) copy.length);
                              copies.put(key, copy);
                              byte[] read = copies.get(key).orElseThrow();
                              byte[] whole = new byte[read.length];
                              Arrays.fill(whole, (byte) read.length);
                              assertThat(read).isEqualTo(whole);
                            }
                          }))
              .toArray(Future<?>[]::new);
      for (Future<?> one : all) {
        one.get();
      }
    }
  }
}
