package dev.gatehouse.common.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Permits are never more than there are, and none gets lost. */
final class WatchedPermitsTest {

  private static final long SHORT_MILLIS = 200;
  private static final long LONG_MILLIS = 60_000;

  private static void awaitWaiting(WatchedPermits permits, int number) throws InterruptedException {
    while (permits.waiting() != number) {
      Thread.sleep(1);
    }
  }

  @Test
  void whoeverGetsNoneIsToldInTime() throws InterruptedException {
    WatchedPermits permits = new WatchedPermits(1, SHORT_MILLIS);
    assertThat(permits.acquire()).isTrue();
    for (int i = 0; i < 3; i++) {
      long begun = System.nanoTime();
      assertThat(permits.acquire()).isFalse();
      assertThat((System.nanoTime() - begun) / 1_000_000).isGreaterThanOrEqualTo(SHORT_MILLIS);
      Thread.sleep(3 * WaitWatch.LOOK_AGAIN.toMillis());
    }
    assertThat(permits.free()).isZero();
    assertThat(permits.waiting()).isZero();
    permits.release();
    assertThat(permits.free()).isEqualTo(1);
    assertThat(permits.acquire()).isTrue();
  }

  @Test
  void whoeverCameFirstGetsIt() throws Exception {
    WatchedPermits permits = new WatchedPermits(1, LONG_MILLIS);
    permits.acquire();
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 5; i++) {
        int number = i;
        threads.submit(
            () -> {
              assertThat(permits.acquire()).isTrue();
              order.add(number);
              permits.release();
              return null;
            });
        awaitWaiting(permits, i + 1);
      }
      permits.release();
    }
    assertThat(order).containsExactly(0, 1, 2, 3, 4);
    assertThat(permits.free()).isEqualTo(1);
  }

  @Test
  void whoeverIsInterruptedHasNone() throws Exception {
    WatchedPermits permits = new WatchedPermits(1, LONG_MILLIS);
    permits.acquire();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> interrupted = threads.submit(permits::acquire);
      awaitWaiting(permits, 1);
      interrupted.cancel(true);
      awaitWaiting(permits, 0);
      Future<Boolean> next = threads.submit(permits::acquire);
      awaitWaiting(permits, 1);
      permits.release();
      assertThat(next.get()).isTrue();
      permits.release();
    }
    assertThat(permits.free()).isEqualTo(1);
    Thread.currentThread().interrupt();
    assertThatThrownBy(permits::acquire).isInstanceOf(InterruptedException.class);
    assertThat(permits.free()).isEqualTo(1);
  }

  @Test
  void neverMoreThanThereAre() throws Exception {
    WatchedPermits permits = new WatchedPermits(3, LONG_MILLIS);
    AtomicInteger having = new AtomicInteger();
    CountDownLatch begin = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 32; thread++) {
        all.add(
            threads.submit(
                () -> {
                  begin.await();
                  for (int i = 0; i < 1_000; i++) {
                    assertThat(permits.acquire()).isTrue();
                    assertThat(having.incrementAndGet()).isLessThanOrEqualTo(3);
                    LockSupport.parkNanos(1);
                    having.decrementAndGet();
                    permits.release();
                  }
                  return null;
                }));
      }
      begin.countDown();
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(permits.free()).isEqualTo(3);
    assertThat(permits.waiting()).isZero();
  }
}
