package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.valkey.ValkeySentinels;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three Sentinels promote a replica, when the primary is killed or does not answer any more. */
class ValkeyPromotionTest {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));
  private static final Instant LATER = Instant.now().plusSeconds(3_600);
  private static final Duration PAUSE = Duration.ofMillis(2);

  private ValkeySentinels servers;
  private ValkeyStores stores;

  @BeforeEach
  void start() {
    servers = ValkeySentinels.start();
    stores =
        new ValkeyStores(
            servers.config("promoted"),
            new ValkeyStores.Node(SEALING, InstantSource.system(), new Random(), MetricFamilies.unpublished()),
            probe -> Optional.empty());
  }

  @AfterEach
  void stop() {
    stores.close();
    servers.close();
  }

  @Test
  void aKilledPrimaryLosesNothing() throws Exception {
    losesNothing(() -> servers.first().kill());
  }

  /** The former primary goes on after the promotion, and would still answer: nobody asks it. */
  @Test
  void aStoppedPrimaryLosesNothingAndIsNotBelieved() throws Exception {
    losesNothing(() -> servers.first().signal("STOP"));
    servers.first().signal("CONT");
    long before = stores.sequence();
    for (int i = 0; i < 500 && stores.sequence() < before + 3; i++) {
      Thread.sleep(10);
    }
    assertThat(stores.sequence()).isGreaterThan(before);
  }

  private void losesNothing(Runnable fault) throws Exception {
    assertThat(stores.problem()).isEmpty();
    ReplayCache cache = stores.replayCache();
    ConcurrentLinkedQueue<ReplayKey> acknowledged = new ConcurrentLinkedQueue<>();
    AtomicBoolean stopped = new AtomicBoolean();
    AtomicLong latest = new AtomicLong(System.nanoTime());
    AtomicLong gap = new AtomicLong();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      String issuer = "w" + i;
      writers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int n = 0; !stopped.get(); n++) {
                      ReplayKey key = new ReplayKey("demo", issuer, String.valueOf(n));
                      try {
                        if (cache.firstSeen(key, LATER)) {
                          acknowledged.add(key);
                          long now = System.nanoTime();
                          gap.accumulateAndGet(now - latest.getAndSet(now), Math::max);
                        }
                      } catch (StoreUnavailable e) {
                        // Until another one is promoted.
                      }
                      // Each mark is looked for twice at the end.
                      LockSupport.parkNanos(PAUSE.toNanos());
                    }
                  }));
    }
    Thread.sleep(1_000);
    fault.run();
    int before = acknowledged.size();
    for (int i = 0; i < 2_000 && acknowledged.size() < before + 100; i++) {
      Thread.sleep(10);
    }
    stopped.set(true);
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(acknowledged.size()).isGreaterThan(before + 50);
    assertThat(acknowledged).allMatch(cache::isMarked);
    assertThat(acknowledged).noneMatch(key -> cache.firstSeen(key, LATER));
    assertThat(Duration.ofNanos(gap.get())).isLessThan(Duration.ofSeconds(10));
  }
}
