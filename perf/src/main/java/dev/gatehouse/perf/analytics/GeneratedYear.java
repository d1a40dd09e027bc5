package dev.gatehouse.perf.analytics;

import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.metric.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums of a year of logins and requests, as a node would have stored them: each day, each hour of two months, each minute of a day. */
record GeneratedYear(int routes) {

  /** No node that runs has this number. */
  private static final int NODE = 900;

  void store(RollupStore store, Instant now) {
    store.begin(NODE, 0);
    long number = 0;
    Map<SeriesKey, Amount> amounts = amounts();
    for (Step step :
        List.of(
            new Step(Duration.ofDays(1), 365), new Step(Duration.ofHours(1), 60 * 24), new Step(Duration.ofMinutes(1), 24 * 60))) {
      for (int i = 1; i <= step.times(); i++) {
        number++;
        store.add(NODE, new Batch(number, 0, Map.of(now.minus(step.length().multipliedBy(i)), amounts), List.of()));
      }
    }
  }

  private record Step(Duration length, int times) {}

  private Map<SeriesKey, Amount> amounts() {
    Histogram requests = new Histogram();
    for (int i = 1; i < 100; i++) {
      requests.record(Duration.ofMillis(i).toNanos());
    }
    Amount durations = Amount.durations(requests.counts(), requests.seconds());
    Map<SeriesKey, Amount> amounts = new HashMap<>();
    amounts.put(SeriesKey.total(Series.LOGINS, SeriesKey.ALL_REALMS), Amount.count(100));
    amounts.put(SeriesKey.total(Series.REQUESTS, SeriesKey.ALL_REALMS), durations);
    for (int i = 0; i < routes; i++) {
      amounts.put(SeriesKey.of(Series.REQUESTS, SeriesKey.ALL_REALMS, Dimension.ROUTE, "route" + i), durations);
    }
    return amounts;
  }
}
