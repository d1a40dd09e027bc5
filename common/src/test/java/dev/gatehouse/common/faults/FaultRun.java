package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Constant load on a site while a fault is done to it, and a check of everything that was acknowledged. */
public final class FaultRun {

  private static final int WORKERS = 3;
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration CALM = Duration.ofSeconds(3);
  private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(60);
  private static final Duration CHECK = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Requests requests = new Requests();
  private final Ledger ledger = new Ledger();
  private final Gap pages = new Gap();
  private final Gap work = new Gap();
  private final Journeys journeys;
  private final Site site;
  private volatile boolean isOver;

  /** The longest time between two successes. */
  private static final class Gap {

    private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong longestNanos = new AtomicLong();

    void success() {
      long now = System.nanoTime();
      long gap = now - lastNanos.getAndSet(now);
      longestNanos.accumulateAndGet(gap, Math::max);
    }

    Duration longest() {
      return Duration.ofNanos(longestNanos.get());
    }

    void reset() {
      lastNanos.set(System.nanoTime());
      longestNanos.set(0);
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private FaultRun(Site site) {
    this.site = site;
    this.journeys = new Journeys(site, client, requests, ledger);
  }

  /**
   * Carries out a fault.
   *
   * @param before how long there is load before
   */
  public static FaultRow run(Site site, SharedFault fault, Duration before) throws Exception {
    return new FaultRun(site).run(fault, before);
  }

  private FaultRow run(SharedFault fault, Duration before) throws Exception {
    List<Thread> threads = new ArrayList<>();
    ledger.allow(fault.reach().allowance(site.staleness()));
    Visitor visitor = firstSession();
    journeys.logouts().prepare();
    for (int i = 0; i < WORKERS; i++) {
      threads.add(thread(journeys::next, work));
    }
    threads.add(
        thread(
            () -> {
              if (!journeys.isServed(visitor)) {
                throw new IllegalStateException("A page asks for a login again.");
              }
            },
            pages));
    threads.add(thread(ledger::checkSome, new Gap()));
    threads.add(thread(ledger::checkQuick, new Gap()));
    threads.add(thread(journeys.logouts()::fill, new Gap()));
    for (int i = 0; i < site.gatewayPorts().size(); i++) {
      int node = i;
      threads.add(thread(() -> journeys.logouts().leave(node), new Gap()));
    }
    Thread.sleep(before);
    pages.reset();
    work.reset();
    journeys.logouts().hurry();
    ledger.note(fault.description());
    ledger.begins();
    fault.inject(site, ledger);
    ledger.note("done");
    awaitCalm();
    Duration recovery = Duration.ofNanos(Math.max(0, requests.lastFailureNanos() - ledger.faultNanos()));
    isOver = true;
    for (Thread thread : threads) {
      thread.join();
    }
    FaultRow.Gaps gaps = new FaultRow.Gaps(pages.longest(), work.longest(), recovery);
    FaultRow.Requested underLoad = FaultRow.of(requests, ledger, gaps).requests();
    ledger.checkAll(CHECK);
    FaultRow checked = FaultRow.of(requests, ledger, gaps);
    fault.repair(site);
    client.close();
    return checked.with(underLoad);
  }

  /** Nodes that have just started may have to be asked more than once. */
  private Visitor firstSession() throws IOException, InterruptedException {
    long end = System.nanoTime() + CHECK.toNanos();
    while (true) {
      try {
        return journeys.session();
      } catch (Visitor.Unavailable e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        Thread.sleep(PAUSE);
      }
    }
  }

  private void awaitCalm() throws InterruptedException {
    long end = System.nanoTime() + LONGEST_RECOVERY.toNanos();
    long from = System.nanoTime();
    while (System.nanoTime() < end) {
      long calmSince = Math.max(from, Math.max(requests.lastFailureNanos(), 0));
      if (System.nanoTime() - calmSince > CALM.toNanos()) {
        return;
      }
      Thread.sleep(PAUSE);
    }
    ledger.stillFails(LONGEST_RECOVERY);
  }

  private Thread thread(Step step, Gap gap) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (!isOver) {
                try {
                  step.run();
                  gap.success();
                } catch (IOException unavailable) {
                  // Counted with the requests.
                } catch (RuntimeException e) {
                  ledger.unexpected(String.valueOf(e.getMessage()));
                }
                pause();
              }
            });
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
