package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ValkeyLinkTest {

  /** What is read between the two would be kept as if it had been read through the next connection, which reports no change of it. */
  @Test
  void nothingIsConfirmedAnyMoreWhenNearCachesAreTold() {
    CompletableFuture<ValkeyLink> opened = new CompletableFuture<>();
    List<Boolean> confirmed = new CopyOnWriteArrayList<>();
    LinkListener listener =
        new LinkListener() {
          @Override
          public void changed(byte[] key) {}

          @Override
          public void unverified() {
            confirmed.add(opened.join().isConfirmed());
          }
        };
    Names names = new Names("link", SealingKey.inMemory(new Random(3)), new Random(3), new UnreadRecords(InstantSource.system()));
    try (ValkeyServer server = ValkeyServer.start();
        ValkeyLink link =
            new ValkeyLink(
                server.config("link", Acknowledge.LOCAL), names, probe -> Optional.empty(), listener,
                new LinkTimes(MetricFamilies.unpublished(), () -> 0))) {
      opened.complete(link);
      Eventually.holds(link::isConfirmed);
      server.kill();
      Eventually.holds(() -> !confirmed.isEmpty());
      assertThat(confirmed).containsOnly(false);
    }
  }
}
