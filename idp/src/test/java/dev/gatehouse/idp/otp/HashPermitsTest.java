package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a node answers that has more hashes to compute than it can. */
final class HashPermitsTest {

  private static final byte[] HASH = {1};

  private final HashPermits permits = new HashPermits(1, Duration.ZERO);

  @Test
  void browsersOfOneNetworkOfIpv6ShareTheirTurns() {
    String one = new PasscodeAttempt("alice", "1", "login:b", "2001:db8:1:2::1").source("demo");
    assertThat(new PasscodeAttempt("bob", "1", "login:c", "2001:db8:1:2:ffff::9").source("demo")).isEqualTo(one).isNotEmpty();
    assertThat(new PasscodeAttempt("bob", "1", "login:c", "2001:db8:1:3::1").source("demo")).isNotEqualTo(one);
    assertThat(new PasscodeAttempt("bob", "1", "login:c", "fe80:0:0:0:0:0:0:1%eth9").source("demo")).isNotEmpty();
    assertThat(new PasscodeAttempt("bob", "1", "login:c", "192.0.2.7").source("demo")).isEqualTo("192.0.2.7");
  }

  @Test
  void whoAsksOneRadiusClientFromOnePlaceSharesTurns() {
    String one = new PasscodeAttempt("alice", "1", "radius:vpn", "2001:db8:1:2::1").source("demo");
    assertThat(new PasscodeAttempt("bob", "1", "radius:vpn", "2001:db8:1:2::9").source("demo")).isEqualTo(one).isNotEmpty();
    assertThat(new PasscodeAttempt("bob", "1", "radius:wifi", "2001:db8:1:2::1").source("demo")).isNotEqualTo(one).isNotEmpty();
    assertThat(new PasscodeAttempt("bob", "1", "login:b", "2001:db8:1:2::1").source("demo")).isNotEqualTo(one);
    assertThat(new PasscodeAttempt("bob", "1", "radius:vpn", "2001:db8:1:2::9").source("other")).as("of another realm").isNotEqualTo(one);
    assertThat(new PasscodeAttempt("bob", "1", "radius:wifi", "02-00-00-00-00-01").source("demo")).isNotEmpty();
    assertThat(new PasscodeAttempt("bob", "1", "radius:vpn", "").source("demo")).as("the client does not say").isEmpty();
    assertThat(new PasscodeAttempt("bob", "1", "agent:host", "192.0.2.7").source("demo")).isEmpty();
  }

  @Test
  void whoseTurnDoesNotComeInTimeIsToldThatTheNodeIsBusy() {
    byte[] hash =
        permits.when(
            () -> {
              assertThatExceptionOfType(PasscodeStoreUnavailable.class)
                  .isThrownBy(() -> permits.when(() -> HASH))
                  .matches(busy -> busy.isBusy() && !busy.isCrowded())
                  .withMessageContaining("more PINs are being checked");
              return HASH;
            });
    assertThat(hash).isEqualTo(HASH);
  }

  @Test
  void fromOneAddressOnlySomeWaitAndOthersStillGetTheirTurn() throws Exception {
    HashPermits one = new HashPermits(1, Duration.ofSeconds(30));
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Supplier<byte[]> slow =
        () -> {
          running.countDown();
          return awaited(end);
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> waiting = new ArrayList<>();
      for (int i = 0; i < HashPermits.MOST_FROM_ONE; i++) {
        waiting.add(threads.submit(() -> one.when("192.0.2.1", slow)));
      }
      running.await();
      while (one.waiting("192.0.2.1") < HashPermits.MOST_FROM_ONE) {
        Thread.sleep(5);
      }
      assertThatExceptionOfType(PasscodeStoreUnavailable.class)
          .isThrownBy(() -> one.when("192.0.2.1", slow))
          .matches(PasscodeStoreUnavailable::isBusy)
          .matches(PasscodeStoreUnavailable::isCrowded);
      Future<byte[]> other = threads.submit(() -> one.when("192.0.2.2", () -> HASH));
      Future<byte[]> client = threads.submit(() -> one.when("", () -> HASH));
      end.countDown();
      assertThat(other.get()).isEqualTo(HASH);
      assertThat(client.get()).isEqualTo(HASH);
      for (Future<byte[]> each : waiting) {
        assertThat(each.get()).isEqualTo(HASH);
      }
    }
    assertThat(one.waiting("192.0.2.1")).isZero();
  }

  /** A virtual thread that computes is not interrupted, and its carrier serves nobody else meanwhile. */
  @Test
  void hashesAreComputedByPlatformThreadsOfTheirOwn() throws Exception {
    HashPermits two = new HashPermits(2, Duration.ofSeconds(30));
    Set<Thread> computing = ConcurrentHashMap.newKeySet();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> hashes = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        hashes.add(
            callers.submit(
                () ->
                    two.when(
                        () -> {
                          computing.add(Thread.currentThread());
                          return HASH;
                        })));
      }
      for (Future<byte[]> each : hashes) {
        assertThat(each.get()).isEqualTo(HASH);
      }
    }
    assertThat(computing).hasSizeLessThanOrEqualTo(2).allMatch(thread -> !thread.isVirtual() && thread.getName().startsWith("pin-hash-"));
    assertThat(two.computed()).isEqualTo(20);
  }

  @Test
  void aTurnLastsAsLongAsTheComputationForWhichNobodyWaitsAnyMore() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread caller =
        Thread.startVirtualThread(
            () ->
                assertThatExceptionOfType(PasscodeStoreUnavailable.class)
                    .isThrownBy(
                        () ->
                            permits.when(
                                () -> {
                                  running.countDown();
                                  return awaited(end);
                                })));
    running.await();
    caller.interrupt();
    caller.join();
    assertThatExceptionOfType(PasscodeStoreUnavailable.class)
        .isThrownBy(() -> permits.when(() -> HASH))
        .matches(PasscodeStoreUnavailable::isBusy);
    end.countDown();
    await(() -> permits.when(() -> HASH).length == 1);
  }

  private static void await(Supplier<Boolean> done) throws InterruptedException {
    while (true) {
      try {
        if (done.get()) {
          return;
        }
      } catch (PasscodeStoreUnavailable busy) {
        Thread.sleep(5);
      }
    }
  }

  private static byte[] awaited(CountDownLatch end) {
    try {
      end.await();
      return HASH;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTurnEndsWithItsComputationEvenIfThatFails() {
    assertThatThrownBy(() -> permits.when(() -> { throw new IllegalStateException("failed"); })).hasMessage("failed");
    assertThat(permits.when(() -> HASH)).isEqualTo(HASH);
  }
}
