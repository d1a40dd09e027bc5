package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.PasswordResets.PasswordReset;
import dev.gatehouse.common.directory.PersonId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link PasswordResets}. */
abstract class PasswordResetsContract {

  private static final PersonId ALICE = new PersonId("alice");
  private static final PersonId BOB = new PersonId("bob");
  private static final Instant NOW = TestTime.START;

  protected abstract PasswordResets resets();

  private static PasswordReset link(PersonId person, String digest) {
    return new PasswordReset(person, digest, NOW, NOW.plus(Duration.ofMinutes(20)), "");
  }

  @Test
  void isFoundInItsRealmAloneAndStaysUntilItIsTaken() {
    resets().put("demo", link(ALICE, "one"));
    assertThat(resets().find("demo", "one")).contains(link(ALICE, "one"));
    assertThat(resets().find("demo", "one")).isPresent();
    assertThat(resets().find("other", "one")).isEmpty();
    assertThat(resets().take("other", "one")).isFalse();
    assertThat(resets().ofPerson("demo", ALICE)).isPresent();
    assertThat(resets().ofPerson("demo", BOB)).isEmpty();
  }

  @Test
  void aNewOneReplacesTheFormer() {
    resets().put("demo", link(ALICE, "one"));
    resets().put("demo", link(BOB, "other"));
    resets().put("demo", link(ALICE, "two"));
    assertThat(resets().find("demo", "one")).isEmpty();
    assertThat(resets().find("demo", "two")).isPresent();
    assertThat(resets().find("demo", "other")).isPresent();
  }

  @Test
  void oneOfParallelCallersTakesIt() throws Exception {
    resets().put("demo", link(ALICE, "one"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> takes =
          IntStream.range(0, 8).mapToObj(i -> threads.submit(() -> resets().take("demo", "one"))).toList();
      int taken = 0;
      for (Future<Boolean> take : takes) {
        taken += take.get() ? 1 : 0;
      }
      assertThat(taken).isEqualTo(1);
    }
    assertThat(resets().find("demo", "one")).isEmpty();
  }

  @Test
  void isRemovedWithItsPersonAndWhenItHasExpired() {
    resets().put("demo", link(ALICE, "one"));
    resets().put("demo", link(BOB, "two"));
    assertThat(resets().remove("demo", ALICE)).isTrue();
    assertThat(resets().remove("demo", ALICE)).isFalse();
    resets().removeExpired(NOW.plus(Duration.ofMinutes(20)));
    assertThat(resets().find("demo", "two")).isPresent();
    resets().removeExpired(NOW.plus(Duration.ofMinutes(21)));
    assertThat(resets().find("demo", "two")).isEmpty();
  }
}
