package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;

/** Constant load on a site while a fault is done to it, and a check of everything that was acknowledged. */
public final class FaultRun {

  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration CALM = Duration.ofSeconds(3);
  private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(60);
  private static final Duration CHECK = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Requests requests = new Requests();
  private final Ledger ledger = new Ledger();
  private final Load load = new Load(ledger);
  private final Journeys journeys;
  private final Site site;

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
    FaultRun run = new FaultRun(site);
    // A fault that cannot be carried out leaves no load to the next one.
    try (run.client; run.load) {
      return run.run(fault, before);
    }
  }

  private FaultRow run(SharedFault fault, Duration before) throws Exception {
    ledger.allow(fault.reach().allowance(site.staleness()));
    Visitor visitor = firstSession();
    journeys.logouts().prepare();
    start(visitor);
    Thread.sleep(before);
    load.reset();
    journeys.logouts().hurry();
    ledger.note(fault.description());
    ledger.begins();
    fault.inject(site, ledger);
    ledger.ends();
    ledger.note("done");
    awaitCalm();
    Duration pageGap = load.pageGap();
    Gap work = load.workGap();
    Duration workGap = work.longest();
    if (workGap.compareTo(fault.mostGap()) > 0) {
      ledger.note("longest away: " + work.name() + ", " + workGap.toMillis() + " ms");
    }
    load.close();
    // What was begun may have failed meanwhile.
    Duration recovery = Duration.ofNanos(Math.max(0, requests.lastFailureNanos() - ledger.faultNanos()));
    FaultRow.Gaps gaps = new FaultRow.Gaps(pageGap, workGap, recovery);
    FaultRow.Requested underLoad = FaultRow.of(requests, ledger, gaps).requests();
    journeys.logouts().askEach();
    ledger.checkAll(CHECK);
    FaultRow checked = FaultRow.of(requests, ledger, gaps);
    fault.repair(site);
    return checked.with(underLoad);
  }

  private void start(Visitor visitor) {
    journeys.all().forEach(load::work);
    load.pages(
        () -> {
          if (!journeys.isServed(visitor)) {
            throw new IllegalStateException("A page asks for a login again.");
          }
        });
    journeys.passwords().ifPresent(changes -> load.beside(changes::change));
    load.beside(ledger::checkSome);
    load.beside(ledger::checkQuick);
    load.beside(journeys.logouts()::fill);
    for (int i = 0; i < site.gatewayPorts().size(); i++) {
      int node = i;
      load.beside(() -> journeys.logouts().leave(node));
    }
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
    long from = System.nanoTime();
    while (System.nanoTime() - from < LONGEST_RECOVERY.toNanos()) {
      if (load.isCalm(from, requests.lastFailureNanos(), CALM)) {
        return;
      }
      Thread.sleep(PAUSE);
    }
    ledger.stillFails(LONGEST_RECOVERY);
  }
}
