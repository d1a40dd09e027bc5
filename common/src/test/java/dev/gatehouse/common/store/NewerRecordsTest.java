package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.store.DueStore.Work;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two nodes of different versions with one Valkey: what the older one does not know stays for the newer one. */
class NewerRecordsTest {

  @AutoClose private final ValkeyServer server = ValkeyServer.start();
  private final SealingKey sealing = SealingKey.inMemory(new Random(3));
  private final InstantSource time = InstantSource.system();

  /** A codec of one text; from the second format on another one follows. */
  private static PackedCodec<String> codec(int version) {
    return PackedCodec.of(
        version,
        (out, text) -> {
          out.text(text);
          if (version > 1) {
            out.text("added");
          }
        },
        in -> {
          String text = in.text();
          if (version > 1) {
            assertThat(in.text()).isEqualTo("added");
          }
          return text;
        });
  }

  private ValkeyStores node() {
    return new ValkeyStores(
        server.config("newer", Acknowledge.LOCAL), new ValkeyStores.Node(sealing, time, new Random(), MetricFamilies.unpublished()),
        probe -> Optional.empty());
  }

  @Test
  void workOfTheNextFormatIsDoneAndOfAFurtherOneIsKeptAndHoldsUpNoOther() {
    Instant due = time.instant().minusSeconds(60);
    try (ValkeyStores older = node();
        ValkeyStores next = node();
        ValkeyStores far = node()) {
      DueStore<String> ofOlder = older.due("work", codec(1));
      next.due("work", codec(2)).add(new Work<>("next", "realm", "of the next format", due));
      DueStore<String> ofFar = far.due("work", codec(3));
      ofFar.add(new Work<>("far", "realm", "of a format that nobody here knows", due));
      ofOlder.add(new Work<>("own", "realm", "of the own format", due));

      assertThat(ofOlder.claim(10, Duration.ofMillis(1))).extracting(Work::value).containsExactlyInAnyOrder(
          "of the next format", "of the own format");
      assertThat(ofOlder.find("far")).isEmpty();
      assertThat(ofOlder.page("realm", "", 10)).extracting(Work::key).containsExactly("next", "own");
      assertThat(ofOlder.count()).isEqualTo(3);
      assertThat(ofFar.find("far").orElseThrow().value()).isEqualTo("of a format that nobody here knows");
    }
  }

  /** Sessions are read at each request, and work at each look for what is due: a record counts once. */
  @Test
  void whatIsNotReadIsCountedByItsStore() {
    try (ValkeyStores older = node();
        ValkeyStores far = node()) {
      DueStore<String> ofOlder = older.due("work", codec(1));
      DueStore<String> ofFar = far.due("work", codec(3));
      SingleUseStore<String> code = older.singleUse("codes", codec(1));
      far.singleUse("codes", codec(3)).put("one", "of a format that nobody here knows", time.instant().plusSeconds(60));
      Instant due = time.instant().minusSeconds(60);
      ofFar.add(new Work<>("a", "realm", "first", due));
      ofFar.add(new Work<>("b", "realm", "second", due));
      assertThat(older.unread()).isEmpty();
      for (int i = 0; i < 3; i++) {
        assertThat(ofOlder.claim(10, Duration.ofMillis(1))).isEmpty();
        assertThat(ofOlder.page("realm", "", 10)).isEmpty();
      }
      assertThatThrownBy(() -> code.peek("one")).isInstanceOf(UnknownFormat.class);
      assertThat(older.unread()).containsExactlyInAnyOrderEntriesOf(Map.of("work", 2, "codes", 1));
      assertThat(far.unread()).isEmpty();
    }
  }
}
