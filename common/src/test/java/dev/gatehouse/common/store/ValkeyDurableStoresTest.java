package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server is killed before each reopening: what was acknowledged is on its disk. */
class ValkeyDurableStoresTest extends DurableStoresContract {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));

  private final List<ValkeyStores> opened = new ArrayList<>();
  private ValkeyServer server;

  @BeforeEach
  void start() {
    server = ValkeyServer.start();
  }

  @AfterEach
  void stop() {
    opened.forEach(ValkeyStores::close);
    server.close();
  }

  @Override
  Stores open() {
    if (!opened.isEmpty()) {
      opened.removeLast().close();
      server.kill();
      server.startAgain();
    }
    return stores(time);
  }

  private ValkeyStores stores(InstantSource clock) {
    ValkeyStores stores =
        new ValkeyStores(
            server.config("durable", Acknowledge.LOCAL),
            new ValkeyStores.Node(SEALING, clock, new Random(), MetricFamilies.unpublished()),
            probe -> Optional.empty());
    opened.add(stores);
    return stores;
  }

  @Test
  void servesNothingFromAServerThatWasEmptiedWhileItWasUsed() throws Exception {
    ValkeyStores stores = stores(InstantSource.system());
    ReplayKey key = new ReplayKey("demo", "issuer", "used");
    assertThat(stores.replayCache().firstSeen(key, TestTime.START.plusSeconds(1_000_000_000))).isTrue();
    Eventually.holds(() -> stores.sequence() > 1);
    server.command("FLUSHALL");
    Eventually.holds(() -> stores.problem().filter(text -> text.contains("older than what it acknowledged")).isPresent());
    assertThatThrownBy(() -> stores.replayCache().firstSeen(key, TestTime.START.plusSeconds(1_000_000_000))).isInstanceOf(StoreUnavailable.class);
  }

  /** Writers go on while the server is killed and started again: what they were told is stored is stored. */
  @Test
  void losesNothingThatWasAcknowledged() throws Exception {
    ValkeyStores stores = stores(InstantSource.system());
    ReplayCache cache = stores.replayCache();
    ConcurrentLinkedQueue<ReplayKey> acknowledged = new ConcurrentLinkedQueue<>();
    AtomicBoolean stopped = new AtomicBoolean();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int writer = i;
      writers.add(Thread.ofVirtual().start(() -> mark(cache, "w" + writer, acknowledged, stopped)));
    }
    for (int kill = 0; kill < 3; kill++) {
      Thread.sleep(300);
      server.kill();
      server.startAgain();
      awaitAnswer(stores);
    }
    Thread.sleep(200);
    stopped.set(true);
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(acknowledged).hasSizeGreaterThan(100);
    assertThat(acknowledged).allMatch(cache::isMarked);
  }

  private static void mark(
      ReplayCache cache, String issuer, ConcurrentLinkedQueue<ReplayKey> acknowledged, AtomicBoolean stopped) {
    for (int n = 0; !stopped.get(); n++) {
      ReplayKey key = new ReplayKey("demo", issuer, String.valueOf(n));
      try {
        if (cache.firstSeen(key, TestTime.START.plusSeconds(1_000_000_000))) {
          acknowledged.add(key);
        }
      } catch (StoreUnavailable e) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private static void awaitAnswer(Stores stores) throws InterruptedException {
    for (int i = 0; i < 500 && stores.problem().isPresent(); i++) {
      Thread.sleep(10);
    }
    assertThat(stores.problem()).isEmpty();
  }
}
