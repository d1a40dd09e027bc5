package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.store.DueStore.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link DueStore}. */
abstract class DueStoreContract {

  private static final Duration LEASE = Duration.ofSeconds(30);

  final TestTime time = new TestTime();

  /** Returns an empty store; the same one during a test. */
  abstract DueStore<String> store();

  private void add(String key, String group, Instant due) {
    assertThat(store().add(new Work<>(key, group, "value of " + key, due))).isTrue();
  }

  private List<String> claimed(int most) {
    return store().claim(most, LEASE).stream().map(Work::key).toList();
  }

  @Test
  void givesOutWhatIsDueInTheOrderOfTime() {
    Instant now = time.instant();
    add("later", "demo", now.plusSeconds(60));
    add("second", "demo", now);
    add("first", "other", now.minusSeconds(1));
    assertThat(store().claim(10, LEASE))
        .containsExactly(
            new Work<>("first", "other", "value of first", now.plus(LEASE)),
            new Work<>("second", "demo", "value of second", now.plus(LEASE)));
    assertThat(store().count()).isEqualTo(3);
  }

  @Test
  void givesOutAgainAfterTheLease() {
    add("a", "demo", time.instant());
    assertThat(claimed(10)).containsExactly("a");
    time.advance(LEASE.minusMillis(1));
    assertThat(claimed(10)).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(claimed(10)).containsExactly("a");
  }

  @Test
  void givesOutAtMostSoMany() {
    for (int i = 0; i < 5; i++) {
      add("key" + i, "demo", time.instant().plusMillis(i));
    }
    time.advance(Duration.ofSeconds(1));
    assertThat(claimed(2)).containsExactly("key0", "key1");
    assertThat(claimed(2)).containsExactly("key2", "key3");
    assertThat(claimed(2)).containsExactly("key4");
  }

  @Test
  void findsWhatIsAddedForATimeThatWasLookedAt() {
    Instant early = time.instant();
    add("a", "demo", early.plusSeconds(5));
    time.advance(Duration.ofSeconds(5));
    assertThat(claimed(10)).containsExactly("a");
    add("b", "demo", early);
    assertThat(claimed(10)).containsExactly("b");
    time.advance(Duration.ofMinutes(10));
    assertThat(claimed(10)).hasSize(2);
    add("long ago", "demo", early);
    assertThat(claimed(10)).containsExactly("long ago");
  }

  @Test
  void findsWhatIsAddedAfterTheClockWasSetBack() {
    add("a", "demo", time.instant());
    assertThat(claimed(10)).containsExactly("a");
    time.advance(Duration.ofHours(-1));
    add("b", "demo", time.instant());
    assertThat(claimed(10)).containsExactly("b");
  }

  @Test
  void addsAKeyOnce() {
    add("a", "demo", time.instant());
    assertThat(store().add(new Work<>("a", "other", "another", time.instant().plusSeconds(9)))).isFalse();
    assertThat(store().find("a")).contains(new Work<>("a", "demo", "value of a", time.instant()));
    assertThat(store().count()).isEqualTo(1);
  }

  @Test
  void replacesWhatIsThere() {
    Instant later = time.instant().plusSeconds(60);
    add("a", "demo", time.instant());
    assertThat(store().replace("a", "again", later)).isTrue();
    assertThat(claimed(10)).isEmpty();
    time.advance(Duration.ofSeconds(60));
    assertThat(store().claim(10, LEASE))
        .containsExactly(new Work<>("a", "demo", "again", time.instant().plus(LEASE)));
    assertThat(store().count()).isEqualTo(1);
  }

  @Test
  void neverBringsBackWhatWasRemoved() {
    add("a", "demo", time.instant());
    assertThat(claimed(10)).containsExactly("a");
    assertThat(store().remove("a")).isTrue();
    assertThat(store().remove("a")).isFalse();
    assertThat(store().replace("a", "again", time.instant())).isFalse();
    time.advance(LEASE);
    assertThat(claimed(10)).isEmpty();
    assertThat(store().find("a")).isEmpty();
    assertThat(store().page("demo", "", 10)).isEmpty();
    assertThat(store().count()).isZero();
    assertThat(store().count("demo")).isZero();
  }

  @Test
  void pagesThroughAGroupInTheOrderOfKeys() {
    for (int i = 9; i >= 0; i--) {
      add("key" + i, "demo", time.instant().plusSeconds(i));
      add("other" + i, "other", time.instant());
    }
    List<String> paged = new ArrayList<>();
    List<Work<String>> page = store().page("demo", "", 3);
    while (!page.isEmpty()) {
      page.forEach(work -> paged.add(work.key()));
      page = store().page("demo", paged.getLast(), 3);
    }
    assertThat(paged).hasSize(10).isSorted().allMatch(key -> key.startsWith("key"));
    assertThat(store().count("demo")).isEqualTo(10);
    assertThat(store().count("dem")).isZero();
  }

  @Test
  void givesEachPieceToOneOfManyCallers() throws Exception {
    for (int i = 0; i < 100; i++) {
      add("key" + i, "demo", time.instant());
    }
    List<List<String>> claims = Race.of(32, i -> () -> claimed(10));
    assertThat(claims.stream().flatMap(List::stream)).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void removesForExactlyOneOfMany() throws Exception {
    add("a", "demo", time.instant());
    List<Boolean> removed = Race.of(32, i -> () -> store().remove("a"));
    assertThat(removed).filteredOn(won -> won).hasSize(1);
    assertThat(store().count()).isZero();
  }
}
