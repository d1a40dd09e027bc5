package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gatehouse.common.TestTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link SingleUseStore}. */
abstract class SingleUseStoreContract {

  private static final Duration LIFE = Duration.ofMinutes(1);

  final TestTime time = new TestTime();

  /** Returns an empty store; the same one during a test. */
  abstract SingleUseStore<String> store();

  Instant later() {
    return time.instant().plus(LIFE);
  }

  @Test
  void givesTheValueOnceAndThenSaysWhenItWasTaken() {
    store().put("code", "value", later());
    Instant takenAt = time.instant();
    assertThat(store().take("code")).isEqualTo(new TakeResult.First<>("value"));
    time.advance(Duration.ofSeconds(59));
    assertThat(store().take("code")).isEqualTo(new TakeResult.Replayed<>(takenAt));
    assertThat(store().take("code")).isEqualTo(new TakeResult.Replayed<>(takenAt));
  }

  @Test
  void knowsNothingOfWhatWasNeverPut() {
    assertThat(store().take("code")).isEqualTo(new TakeResult.Absent<>());
    assertThat(store().peek("code")).isEmpty();
  }

  @Test
  void looksWithoutTaking() {
    store().put("code", "value", later());
    assertThat(store().peek("code")).contains("value");
    assertThat(store().peek("code")).contains("value");
    assertThat(store().take("code")).isEqualTo(new TakeResult.First<>("value"));
    assertThat(store().peek("code")).isEmpty();
  }

  @Test
  void takesWhatFitsAndNothingElse() {
    store().put("code", "value", later());
    assertThat(store().take("code", "other"::equals)).isEqualTo(new TakeResult.Absent<>());
    assertThat(store().peek("code")).contains("value");
    assertThat(store().take("code", "value"::equals)).isEqualTo(new TakeResult.First<>("value"));
    assertThat(store().take("code", "other"::equals)).as("it was taken").isInstanceOf(TakeResult.Replayed.class);
    assertThat(store().take("never put", value -> true)).isEqualTo(new TakeResult.Absent<>());
  }

  @Test
  void refusesAKeyThatExistsOrWasTaken() {
    store().put("code", "value", later());
    assertThatIllegalStateException().isThrownBy(() -> store().put("code", "other", later()));
    assertThat(store().take("code")).isEqualTo(new TakeResult.First<>("value"));
    assertThatIllegalStateException().isThrownBy(() -> store().put("code", "other", later()));
    assertThat(store().take("code")).isInstanceOf(TakeResult.Replayed.class);
  }

  @Test
  void updatesWhatIsHeldAndOtherMethodsSeeIt() {
    store().updateLater("code", before -> before.orElse("nothing") + ", first", later());
    assertThat(store().peek("code")).contains("nothing, first");
    assertThatIllegalStateException().isThrownBy(() -> store().put("code", "other", later()));
    time.advance(Duration.ofSeconds(30));
    store().updateLater("code", before -> before.orElse("nothing") + ", second", later());
    time.advance(Duration.ofSeconds(45));
    assertThat(store().peek("code")).as("lives as long as the second").contains("nothing, first, second");
    assertThat(store().replace("code", "replaced", later())).isTrue();
    assertThat(store().peek("code")).contains("replaced");
    store().updateLater("code", before -> before.orElse("nothing") + ", third", later());
    assertThat(store().take("code")).isEqualTo(new TakeResult.First<>("replaced, third"));
    store().updateLater("code", before -> "fourth", later());
    assertThat(store().take("code")).as("what was taken stays taken").isInstanceOf(TakeResult.Replayed.class);
    store().updateLater("given up", before -> "value", later());
    store().discard("given up");
    assertThat(store().peek("given up")).isEmpty();
    store().updateLater("old", before -> "value", later());
    time.advance(LIFE);
    assertThat(store().peek("old")).isEmpty();
    store().updateLater("old", before -> before.orElse("anew"), later());
    assertThat(store().peek("old")).contains("anew");
  }

  @Test
  void parallelUpdatesAllCount() throws Exception {
    Race.of(
        200,
        i ->
            () -> {
              store().updateLater("code", before -> before.orElse("") + "x", later());
              return i;
            });
    assertThat(store().peek("code").orElseThrow()).hasSize(200);
  }

  @Test
  void replacesWhatWasNotTakenAndNothingElse() {
    assertThat(store().replace("code", "first", later())).isTrue();
    time.advance(Duration.ofSeconds(30));
    assertThat(store().replace("code", "second", later())).isTrue();
    time.advance(Duration.ofSeconds(45));
    assertThat(store().take("code")).as("lives as long as the second").isEqualTo(new TakeResult.First<>("second"));
    assertThat(store().replace("code", "third", later())).isFalse();
    assertThat(store().take("code")).isInstanceOf(TakeResult.Replayed.class);
    time.advance(LIFE);
    assertThat(store().replace("code", "fourth", later())).isTrue();
    assertThat(store().take("code")).isEqualTo(new TakeResult.First<>("fourth"));
  }

  @Test
  void isOverAtTheInstantOfExpiry() {
    store().put("code", "value", later());
    time.advance(LIFE.minusMillis(1));
    assertThat(store().peek("code")).contains("value");
    time.advance(Duration.ofMillis(1));
    assertThat(store().peek("code")).isEmpty();
    assertThat(store().take("code")).isEqualTo(new TakeResult.Absent<>());
  }

  @Test
  void forgetsTheTombstoneWhenTheValueWouldHaveExpired() {
    store().put("code", "value", later());
    store().take("code");
    time.advance(LIFE);
    assertThat(store().take("code")).isEqualTo(new TakeResult.Absent<>());
    store().put("code", "other", later());
    assertThat(store().take("code")).isEqualTo(new TakeResult.First<>("other"));
  }

  @Test
  void keepsKeysApart() {
    for (String key : List.of("a", "b", "", "a\0b", "a\0", "ä", "😀", "a".repeat(5000))) {
      store().put(key, "value of " + key, later());
    }
    for (String key : List.of("a", "b", "", "a\0b", "a\0", "ä", "😀", "a".repeat(5000))) {
      assertThat(store().take(key)).isEqualTo(new TakeResult.First<>("value of " + key));
    }
  }

  @Test
  void letsExactlyOneOfManyWin() throws Exception {
    for (int round = 0; round < 50; round++) {
      String key = "code-" + round;
      store().put(key, "value", later());
      List<TakeResult<String>> takes = Race.of(64, i -> () -> store().take(key));
      assertThat(takes).filteredOn(TakeResult.First.class::isInstance).containsExactly(new TakeResult.First<>("value"));
      assertThat(takes).filteredOn(TakeResult.Replayed.class::isInstance).hasSize(63);
    }
  }

  @Test
  void forgetsWhatIsDiscardedButNotWhatWasTaken() {
    store().put("gives way", "value", later());
    store().discard("gives way");
    store().discard("gives way");
    store().discard("never there");
    assertThat(store().peek("gives way")).isEmpty();
    assertThat(store().take("gives way")).isEqualTo(new TakeResult.Absent<>());
    store().put("gives way", "another", later());
    assertThat(store().take("gives way")).isEqualTo(new TakeResult.First<>("another"));
    store().discard("gives way");
    assertThat(store().take("gives way")).isInstanceOf(TakeResult.Replayed.class);
  }

  @Test
  void letsExactlyOneOfManyPut() throws Exception {
    for (int round = 0; round < 20; round++) {
      String key = "code-" + round;
      List<String> put =
          Race.of(
              32,
              i -> () -> {
                try {
                  store().put(key, "value " + i, later());
                  return "value " + i;
                } catch (IllegalStateException refused) {
                  return "";
                }
              });
      List<String> winners = put.stream().filter(value -> !value.isEmpty()).toList();
      assertThat(winners).hasSize(1);
      assertThat(store().take(key)).isEqualTo(new TakeResult.First<>(winners.getFirst()));
    }
  }

  @Test
  void worksForManyKeysAtOnce() throws Exception {
    List<Boolean> all =
        Race.of(
            500,
            i -> () -> {
              store().put("key" + i, "value" + i, later());
              return store().take("key" + i).equals(new TakeResult.First<>("value" + i));
            });
    assertThat(all).hasSize(500).containsOnly(true);
  }
}
