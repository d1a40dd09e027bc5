package dev.gatehouse.common.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/** Threads that do the same again and again, each for itself, so that no kind of work stands for another one. */
final class Load implements AutoCloseable {

  /** What a thread does. */
  interface Step {
    void run() throws IOException;
  }

  private static final Duration PAUSE = Duration.ofMillis(50);
  /** As many journeys a second as the three clients had that went from one kind to the next. */
  private static final Duration PAUSE_OF_WORK = Duration.ofMillis(200);

  private final Ledger ledger;
  private final LongSupplier nanos;
  private final Gap pages;
  private final List<Gap> works = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isOver;

  Load(Ledger ledger) {
    this(ledger, System::nanoTime);
  }

  Load(Ledger ledger, LongSupplier nanos) {
    this.ledger = ledger;
    this.nanos = nanos;
    this.pages = new Gap("pages", nanos);
  }

  /** Asks for pages. */
  void pages(Step step) {
    threads.add(thread(step, pages, PAUSE));
  }

  /** Does one kind of work. */
  void work(String name, Step step) {
    Gap gap = new Gap(name, nanos);
    works.add(gap);
    threads.add(thread(step, gap, PAUSE_OF_WORK));
  }

  /** Does something that is not measured. */
  void beside(Step step) {
    threads.add(thread(step, new Gap("", nanos), PAUSE));
  }

  private Thread thread(Step step, Gap gap, Duration pause) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (!isOver) {
                gap.begin();
                try {
                  step.run();
                  gap.success();
                } catch (IOException unavailable) {
                  // Counted with the requests.
                } catch (RuntimeException e) {
                  ledger.unexpected(String.valueOf(e.getMessage()));
                }
                pause(pause);
              }
            });
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Measures from now on. */
  void reset() {
    pages.reset();
    works.forEach(Gap::reset);
  }

  /** Returns the longest time without a page. */
  Duration pageGap() {
    return pages.longest();
  }

  /** Returns the kind of work that was away for the longest time. */
  Gap workGap() {
    return works.stream().max(Comparator.comparing(Gap::longest)).orElseThrow();
  }

  /**
   * Returns whether nothing has failed for some time, and pages and each kind of work have succeeded in it: what hangs does not fail.
   *
   * @param fromNanos what was before does not count
   */
  boolean isCalm(long fromNanos, long lastFailureNanos, Duration time) {
    long since = lastFailureNanos - fromNanos > 0 ? lastFailureNanos : fromNanos;
    return nanos.getAsLong() - since > time.toNanos()
        && pages.hasSucceededSince(since)
        && works.stream().allMatch(work -> work.hasSucceededSince(since));
  }

  /** Ends the threads, and waits for what they have begun. */
  @Override
  public void close() {
    isOver = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
