package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stores of {@code storage: volatile}: RocksDB in memory. */
class VolatileStoresTest extends StoresContract {

  private final List<RocksStores> opened = new ArrayList<>();

  @Override
  RocksStores open(InstantSource time) {
    RocksStores stores = RocksStores.inMemory(time);
    opened.add(stores);
    return stores;
  }

  @AfterEach
  void close() {
    opened.forEach(RocksStores::close);
  }

  /** Marks of an earlier process are lost, and nothing says when it ended. */
  @Test
  void isCompleteSinceItsStart() {
    TestTime time = new TestTime();
    assertThat(open(time).replayCache().completeSince()).isEqualTo(time.instant());
    assertThat(open(time).tokensNotBefore()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void twoOfThemShareNothing() {
    TestTime time = new TestTime();
    Instant later = time.instant().plusSeconds(60);
    open(time).singleUse("codes", new TextCodec()).put("key", "value", later);
    assertThat(open(time).singleUse("codes", new TextCodec()).peek("key")).isEmpty();
  }

  @Test
  void isBoundedAndHasRoomAgainAfterExpiry() {
    TestTime time = new TestTime();
    RocksStores stores = open(time);
    SingleUseStore<String> store = stores.singleUse("codes", new TextCodec());
    long bound = 16 << 20;
    stores.measure(bound);
    assertThat(stores.isFull()).isFalse();
    Random random = new Random(1);
    Instant expiry = time.instant().plusSeconds(60);
    for (int i = 0; i < 400; i++) {
      byte[] noise = new byte[50_000];
      random.nextBytes(noise);
      store.put("key" + i, new String(noise, StandardCharsets.ISO_8859_1), expiry);
    }
    stores.measure(bound);
    assertThat(stores.isFull()).isTrue();
    assertThat(store.peek("key399")).isPresent();
    time.advance(Duration.ofSeconds(60));
    stores.sweep();
    stores.flush();
    stores.tidy();
    stores.measure(bound);
    assertThat(stores.isFull()).isFalse();
  }
}
