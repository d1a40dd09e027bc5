package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that is planted: it hangs, or fails beside other work that goes on. */
@Timeout(120)
class LoadTest {

  private static final Duration CALM = Duration.ofSeconds(3);
  private static final Duration LONG = Duration.ofSeconds(55);

  private final AtomicLong now = new AtomicLong();
  private final Ledger ledger = new Ledger();
  private final Load load = new Load(ledger, now::get);
  private final CountDownLatch end = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(2);

  @AfterEach
  void end() {
    end.countDown();
    load.close();
  }

  private void hang() {
    begun.countDown();
    await(end);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Work that goes on until the end; returns how often it is done. */
  private AtomicLong goesOn(String name) {
    AtomicLong done = new AtomicLong();
    load.work(name, done::incrementAndGet);
    return done;
  }

  private static void awaitMore(AtomicLong done, int more) throws InterruptedException {
    long wanted = done.get() + more;
    while (done.get() < wanted) {
      Thread.sleep(5);
    }
  }

  @Test
  void workThatHangsIsAwayAndNotCalmAlthoughNothingFails() throws InterruptedException {
    load.pages(this::hang);
    load.work("sessions", this::hang);
    await(begun);
    load.reset();
    now.addAndGet(LONG.toNanos());
    assertThat(load.workGap().longest()).isEqualTo(LONG);
    assertThat(load.pageGap()).isEqualTo(LONG);
    assertThat(load.isCalm(0, -1, CALM)).isFalse();
  }

  @Test
  void workThatSucceedsDoesNotStandForWorkThatFails() throws InterruptedException {
    CountDownLatch failed = new CountDownLatch(2);
    load.pages(() -> {});
    load.work(
        "sessions",
        () -> {
          failed.countDown();
          throw new Visitor.Unavailable("away");
        });
    AtomicLong assertions = goesOn("assertions");
    await(failed);
    load.reset();
    now.addAndGet(LONG.toNanos());
    awaitMore(assertions, 2);
    assertThat(load.workGap().name()).isEqualTo("sessions");
    assertThat(load.workGap().longest()).isEqualTo(LONG);
    assertThat(load.isCalm(0, -1, CALM)).isFalse();
  }

  @Test
  void itIsCalmWhenEverythingHasSucceededAndNothingHasFailedForSomeTime() throws InterruptedException {
    AtomicLong pages = new AtomicLong();
    load.pages(pages::incrementAndGet);
    AtomicLong sessions = goesOn("sessions");
    AtomicLong assertions = goesOn("assertions");
    now.addAndGet(CALM.toNanos() + 2);
    awaitMore(pages, 2);
    awaitMore(sessions, 2);
    awaitMore(assertions, 2);
    assertThat(load.isCalm(0, -1, CALM)).isTrue();
    assertThat(load.isCalm(0, 3, CALM)).as("a failure since").isFalse();
  }

  @Test
  void anAnswerThatNoFaultExplainsEndsNoThread() throws InterruptedException {
    AtomicLong done = new AtomicLong();
    load.work(
        "sessions",
        () -> {
          done.incrementAndGet();
          throw new IllegalStateException("Not 200: 400 invalid_grant");
        });
    awaitMore(done, 2);
    assertThat(ledger.findings()).allMatch(line -> line.contains("unexpected: Not 200")).isNotEmpty();
  }
}
