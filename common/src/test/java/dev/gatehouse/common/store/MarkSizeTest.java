package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a mark costs that is kept for long: of a code of a token that agents may check, for sixty days. */
class MarkSizeTest {

  private static final int MARKS = 20_000;
  private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");

  @TempDir Path data;

  private static void mark(ReplayCache marks) throws Exception {
    Instant end = Instant.now().plus(Duration.ofDays(60));
    Race.of(20, runner -> () -> {
      for (int i = runner; i < MARKS; i += 20) {
        marks.firstSeen(new ReplayKey("demo", "otp-token", "token-0001 " + (60_000_000 + i)), end);
      }
      return runner;
    });
  }

  @Test
  void onTheDiskOfANode() throws Exception {
    try (RocksStores stores = new RocksStores(data, InstantSource.system())) {
      long before = tables();
      mark(stores.replayCache());
      stores.flush();
      double each = (double) (tables() - before) / MARKS;
      System.out.printf("a mark takes %.0f bytes of disk in an embedded store%n", each);
      assertThat(each).isBetween(20.0, 400.0);
    }
  }

  private long tables() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files.filter(file -> file.toString().endsWith(".sst")).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void inTheMemoryOfASharedStore() throws Exception {
    try (ValkeyServer server = ValkeyServer.start();
        ValkeyStores stores =
            new ValkeyStores(
                server.config("durable", Acknowledge.LOCAL),
                new ValkeyStores.Node(
                    SealingKey.inMemory(new Random(3)), InstantSource.system(), new Random(), MetricFamilies.unpublished()),
                probe -> Optional.empty())) {
      stores.replayCache().firstSeen(new ReplayKey("demo", "otp-token", "first"), Instant.now().plusSeconds(60));
      long before = used(server);
      mark(stores.replayCache());
      double each = (double) (used(server) - before) / MARKS;
      System.out.printf("a mark takes %.0f bytes of memory in Valkey%n", each);
      assertThat(each).isBetween(50.0, 1000.0);
    }
  }

  private static long used(ValkeyServer server) {
    Matcher found = USED.matcher(server.command("INFO", "memory"));
    assertThat(found.find()).isTrue();
    return Long.parseLong(found.group(1));
  }
}
