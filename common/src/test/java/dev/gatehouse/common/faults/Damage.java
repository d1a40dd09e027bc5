package dev.gatehouse.common.faults;

import java.time.Duration;

/** What is done to a site, and its end, if it ends by itself. */
@FunctionalInterface
interface Damage {

  /** Starts again what was killed, after everything was checked without it. */
  @FunctionalInterface
  interface Repair {
    void at(Site site) throws Exception;
  }

  void to(Site site, Ledger ledger) throws Exception;

  /** Waits while the fault lasts. */
  static void sleep(int seconds) {
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits between the begin and the end of something. */
  static Damage lasting(int seconds, Repair begin, Repair end) {
    return (site, ledger) -> {
      begin.at(site);
      sleep(seconds);
      end.at(site);
    };
  }
}
