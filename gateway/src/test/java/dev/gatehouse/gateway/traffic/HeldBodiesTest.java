package dev.gatehouse.gateway.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.traffic.HeldBodies.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeldBodiesTest {

  private final AtomicLong nanos = new AtomicLong();
  private final HeldBodies bodies = new HeldBodies(100, nanos::get);
  private final List<String> ended = new ArrayList<>();

  private Held begin(String name) {
    return bodies.begin(() -> ended.add(name));
  }

  private void later(long millis) {
    nanos.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void theBodyThatIsAwaitedLongestMakesRoomOnceItHasHadItsTime() {
    Held silent = begin("silent");
    Held first = begin("first");
    Held second = begin("second");
    assertThat(first.grow(40)).isTrue();
    later(10);
    assertThat(second.grow(40)).isTrue();
    later(239);
    Held third = begin("third");
    assertThat(third.grow(30)).as("the first has its time still").isFalse();
    later(1);
    assertThat(third.grow(30)).isTrue();
    assertThat(ended).containsExactly("first");
    assertThat(bodies.bytes()).isEqualTo(70);
    assertThat(first.grow(1)).as("it has ended").isFalse();
    assertThat(silent.grow(30)).as("it held nothing").isTrue();
    assertThat(ended).containsExactly("first");
  }

  @Test
  void whatHasArrivedMakesNoRoomUntilItsRequestIsAnswered() {
    Held first = begin("first");
    assertThat(first.grow(80)).isTrue();
    first.complete();
    later(10_000);
    Held second = begin("second");
    assertThat(second.grow(30)).isFalse();
    assertThat(ended).isEmpty();
    first.release();
    first.release();
    assertThat(bodies.bytes()).isZero();
    assertThat(second.grow(30)).isTrue();
  }

  @Test
  void aBodyThatIsTheEldestItselfFindsNoRoom() {
    Held first = begin("first");
    Held second = begin("second");
    assertThat(first.grow(60)).isTrue();
    assertThat(second.grow(40)).isTrue();
    later(10_000);
    assertThat(first.grow(1)).isFalse();
    assertThat(ended).as("its request is refused by its caller").isEmpty();
    first.release();
    assertThat(bodies.bytes()).isEqualTo(40);
  }
}
