package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.faults.CutLine;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.valkey.ValkeySentinels;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A primary that is cut off from its replicas, while nodes still reach it. */
class ValkeyPartitionTest {

  private static final Instant LATER = Instant.now().plusSeconds(3_600);
  private static final ReplayKey USED = new ReplayKey("demo", "issuer", "used");

  /** Others may have promoted a replica, and may have ended what this primary still knows. */
  @Test
  void itsWordDoesNotCountAlthoughItAnswersWhatChangesNothing() throws Exception {
    List<CutLine> lines = new ArrayList<>();
    try (ValkeySentinels servers = ValkeySentinels.unattended(primary -> opened(lines, primary), 0);
        CutLine replicas = lines.getFirst();
        ValkeyStores stores = stores(servers.first().config("cut", Acknowledge.REPLICA))) {
      ReplayCache cache = stores.replayCache();
      assertThat(cache.firstSeen(USED, LATER)).isTrue();
      replicas.cut();
      Eventually.holds(
          () -> {
            askWhatChangesNothing(cache);
            return stores.problem().isPresent();
          });
      // A node connects to it again and again, as long as nobody tells of another one.
      long end = System.nanoTime() + 1_500_000_000L;
      while (System.nanoTime() < end) {
        assertThatThrownBy(() -> cache.firstSeen(USED, LATER)).isInstanceOf(StoreUnavailable.class);
        assertThat(stores.problem()).isPresent();
        assertThatThrownBy(() -> cache.isMarked(USED)).isInstanceOf(StoreUnavailable.class);
        Thread.sleep(5);
      }
      replicas.repair();
      Eventually.holds(() -> stores.problem().isEmpty());
      assertThat(cache.isMarked(USED)).isTrue();
    }
  }

  /** It refuses writes at once, and nothing tells a node that waits for it that another one takes them now. */
  @Test
  void aPromotionIsFollowedAlthoughTheFormerPrimaryIsStillReached() throws Exception {
    List<CutLine> lines = new ArrayList<>();
    try (ValkeySentinels servers = ValkeySentinels.partitionable(primary -> opened(lines, primary), 1);
        CutLine line = lines.getFirst();
        ValkeyStores stores = stores(servers.config("cut"))) {
      assertThat(stores.replayCache().firstSeen(USED, LATER)).isTrue();
      line.cutFrom(ValkeySentinels.OTHER_HOSTS);
      servers.awaitPromotion(servers.first());
      // The line is not repaired: the former primary never says that it is a replica.
      Eventually.holds(() -> stores.problem().isEmpty());
      assertThat(stores.replayCache().firstSeen(USED, LATER)).isFalse();
    }
  }

  private static ValkeyStores stores(ValkeyConfig config) {
    ValkeyStores.Node node =
        new ValkeyStores.Node(SealingKey.inMemory(new Random(3)), InstantSource.system(), new Random(), MetricFamilies.unpublished());
    return new ValkeyStores(config, node, probe -> Optional.empty());
  }

  /** Asks to mark what is marked, and gets the right answer or none. */
  private static void askWhatChangesNothing(ReplayCache cache) {
    try {
      assertThat(cache.firstSeen(USED, LATER)).isFalse();
    } catch (StoreUnavailable e) {
      // It is not connected just now.
    }
  }

  private static int opened(List<CutLine> lines, int primary) {
    try {
      lines.add(new CutLine(primary));
      return lines.getFirst().port();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
