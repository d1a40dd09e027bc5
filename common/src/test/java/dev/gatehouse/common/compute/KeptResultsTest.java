package dev.gatehouse.common.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What takes long is computed once for many, and kept as long as it is worth. */
class KeptResultsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestTime time = new TestTime();
  private final ExecutorService one = ComputingThreads.of("kept-", 1);
  private final AtomicInteger computed = new AtomicInteger();

  private KeptResults<String, Integer> results(Duration patience) {
    return new KeptResults<>(one, 100, patience, time, key -> key);
  }

  private int taking(Duration duration) {
    time.advance(duration);
    return computed.incrementAndGet();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void manyAskersWaitForOneComputation() throws Exception {
    KeptResults<String, Integer> results = results(PATIENCE);
    CountDownLatch end = new CountDownLatch(1);
    List<Future<Integer>> askers = new ArrayList<>();
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch asked = new CountDownLatch(50);
      for (int i = 0; i < 50; i++) {
        askers.add(
            many.submit(
                () -> {
                  asked.countDown();
                  return results.get(
                      "realm",
                      () -> {
                        await(end);
                        return taking(Duration.ofSeconds(1));
                      });
                }));
      }
      asked.await();
      end.countDown();
      for (Future<Integer> each : askers) {
        assertThat(each.get()).isEqualTo(1);
      }
    }
    assertThat(results.get("another", () -> taking(Duration.ZERO))).isEqualTo(2);
  }

  @Test
  void aResultIsKeptInProportionToWhatItTook() {
    KeptResults<String, Integer> results = results(PATIENCE);
    Duration tenth = Duration.ofMillis(100);
    assertThat(results.get("realm", () -> taking(tenth))).isEqualTo(1);
    time.advance(Duration.ofMillis(1999));
    assertThat(results.get("realm", () -> taking(tenth))).isEqualTo(1);
    time.advance(Duration.ofMillis(1));
    assertThat(results.get("realm", () -> taking(Duration.ofSeconds(10)))).isEqualTo(2);
    time.advance(Duration.ofSeconds(59));
    assertThat(results.get("realm", () -> taking(tenth))).isEqualTo(2);
    time.advance(Duration.ofSeconds(1));
    assertThat(results.get("realm", () -> taking(Duration.ZERO))).as("a minute at most").isEqualTo(3);
    assertThat(results.get("realm", () -> taking(tenth))).as("what takes no time is always new").isEqualTo(4);
    time.advance(Duration.ofHours(-1));
    assertThat(results.get("realm", () -> taking(tenth))).as("a clock that is set back").isEqualTo(5);
  }

  @Test
  void whatIsComputedByTheCallerIsNotKeptForGood() {
    KeptResults<String, Integer> results = new KeptResults<>(Runnable::run, 100, PATIENCE, time, key -> key);
    assertThat(results.get("realm", () -> taking(Duration.ZERO))).isEqualTo(1);
    assertThat(results.get("realm", () -> taking(Duration.ZERO))).isEqualTo(2);
  }

  @Test
  void aFailureIsToldAndNotKept() {
    KeptResults<String, Integer> results = results(PATIENCE);
    assertThatThrownBy(
            () ->
                results.get(
                    "realm",
                    () -> {
                      time.advance(Duration.ofSeconds(1));
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no");
    assertThat(results.get("realm", () -> taking(Duration.ZERO))).isEqualTo(1);
  }

  @Test
  void nobodyWaitsForeverAndWhatCameLateIsForOthers() throws Exception {
    KeptResults<String, Integer> results = results(Duration.ofMillis(20));
    CountDownLatch end = new CountDownLatch(1);
    Runnable ask =
        () ->
            results.get(
                "realm",
                () -> {
                  await(end);
                  return taking(Duration.ofSeconds(1));
                });
    assertThatThrownBy(ask::run).isInstanceOf(Busy.class);
    assertThatThrownBy(ask::run).as("it still waits for the same").isInstanceOf(Busy.class);
    AtomicInteger abandoned = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      String key = "k" + i;
      assertThatThrownBy(() -> results.get(key, abandoned::incrementAndGet)).as("its turn does not come").isInstanceOf(Busy.class);
    }
    end.countDown();
    one.submit(() -> {}).get();
    assertThat(abandoned).as("what nobody waits for").hasValue(0);
    assertThat(results.get("realm", () -> taking(Duration.ZERO))).isEqualTo(1);
    assertThat(results.get("k1", abandoned::incrementAndGet)).isEqualTo(1);
  }

  @Test
  void placesAreBoundedForAllAndForAGroup() throws Exception {
    KeptResults<String, Integer> results = new KeptResults<>(one, 100, PATIENCE, time, key -> key.substring(0, 1));
    CountDownLatch end = new CountDownLatch(1);
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      many.submit(() -> results.get("z", () -> { await(end); return 0; }));
      for (String group : List.of("a", "b", "c")) {
        List<Future<Integer>> askers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          String key = group + i;
          askers.add(many.submit(() -> results.get(key, computed::incrementAndGet)));
        }
        Eventually.holds(() -> askers.stream().filter(Future::isDone).count() == 12);
      }
      end.countDown();
    }
  }

  /** A thread that cannot be made must not make a key useless for good. */
  @Test
  void whatCouldNotBeginBeginsAtTheNextTry() {
    AtomicInteger tries = new AtomicInteger();
    Executor without =
        work -> {
          if (tries.incrementAndGet() == 1) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          work.run();
        };
    KeptResults<String, Integer> results = new KeptResults<>(without, 100, PATIENCE, time, key -> key);
    assertThatThrownBy(() -> results.get("realm", computed::incrementAndGet)).isInstanceOf(OutOfMemoryError.class);
    assertThat(results.get("realm", computed::incrementAndGet)).isEqualTo(1);
  }

  @Test
  void whatDoesNotBeginInTimeDoesNotBegin() throws Exception {
    Turn turn = new Turn(one, 2, Duration.ofMillis(20));
    CountDownLatch end = new CountDownLatch(1);
    assertThat(turn.<String>take(() -> Thread.currentThread().getName())).startsWith("kept-");
    assertThatThrownBy(() -> turn.take(() -> { throw new IllegalArgumentException("no"); })).isInstanceOf(IllegalArgumentException.class);
    one.execute(() -> await(end));
    assertThatThrownBy(() -> turn.take(computed::incrementAndGet)).isInstanceOf(Busy.class);
    end.countDown();
    one.submit(() -> {}).get();
    assertThat(computed).hasValue(0);
    assertThat(turn.<Integer>take(computed::incrementAndGet)).isEqualTo(1);
    assertThatThrownBy(() -> new Turn(one, 0, PATIENCE).take(computed::get)).isInstanceOf(Busy.class);
  }
}
