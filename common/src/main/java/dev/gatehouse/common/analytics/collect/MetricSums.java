package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.MetricFamily;
import dev.gatehouse.common.metric.SampleFamily;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Adds what the metrics counted since the last look. For one thread. */
final class MetricSums {

  private record Seen(long[] counts, double seconds) {}

  private final MetricFamilies metrics;
  private final Supplier<CacheCounts> cache;
  private Map<List<String>, Seen> seen = new HashMap<>();
  private Map<List<String>, Seen> looked = new HashMap<>();
  private CacheCounts seenCache = new CacheCounts(0, 0);

  MetricSums(MetricFamilies metrics, Supplier<CacheCounts> cache) {
    this.metrics = metrics;
    this.cache = cache;
  }

  void addTo(Sums sums, Instant now) {
    looked = new HashMap<>();
    for (MetricFamily family : metrics.families()) {
      if (family instanceof HistogramFamily durations) {
        add(durations, sums, now);
      }
    }
    seen = looked;
    addCache(sums, now);
    // The last, because a store that several nodes share may be slow to answer.
    for (MetricFamily family : metrics.families()) {
      if (family instanceof SampleFamily levels) {
        add(levels, sums, now);
      }
    }
  }

  private void addCache(Sums sums, Instant now) {
    CacheCounts counts = cache.get();
    long hits = counts.hits() - seenCache.hits();
    long misses = counts.misses() - seenCache.misses();
    if (hits >= 0 && misses >= 0 && hits + misses > 0) {
      sums.add(now, Series.CACHE, SeriesKey.ALL_REALMS, Map.of(), Amount.part(hits, hits + misses));
    }
    seenCache = counts;
  }

  private void add(HistogramFamily family, Sums sums, Instant now) {
    switch (family.name()) {
      case "gatehouse.gateway.request.duration" ->
          family.forEach(
              (values, histogram) -> {
                Amount amount = since(family.name(), values, histogram);
                if (amount.samples() > 0) {
                  Map<Dimension, String> labels = Map.of(Dimension.ROUTE, values.get(1), Dimension.STATUS, values.getLast());
                  sums.add(now, Series.REQUESTS, values.getFirst(), labels, amount);
                }
              });
      case "gatehouse.gateway.upstream.duration" ->
          family.forEach(
              (values, histogram) -> {
                Amount amount = since(family.name(), values, histogram);
                if (amount.samples() > 0) {
                  sums.add(now, Series.APP_RESPONSES, SeriesKey.ALL_REALMS, Map.of(Dimension.SERVER, values.getFirst()), amount);
                }
              });
      default -> {
        // Measures the node itself.
      }
    }
  }

  private static void add(SampleFamily family, Sums sums, Instant now) {
    if (family.name().equals("gatehouse.sessions")) {
      Map<String, Double> kinds = new HashMap<>();
      family.samples().forEach((values, sessions) -> kinds.put(values.getFirst(), sessions));
      // While a store cannot be asked, the number is unknown and not zero.
      if (!kinds.isEmpty()) {
        sums.addLevels(now, Series.SESSIONS, Dimension.KIND, kinds);
      }
    }
  }

  private Amount since(String name, List<String> values, Histogram histogram) {
    List<String> key = new ArrayList<>(values);
    key.add(name);
    long[] counts = histogram.counts();
    double seconds = histogram.seconds();
    looked.put(key, new Seen(counts, seconds));
    Seen before = seen.get(key);
    if (before == null) {
      return Amount.durations(counts, seconds);
    }
    long[] added = new long[counts.length];
    for (int i = 0; i < added.length; i++) {
      added[i] = counts[i] - before.counts()[i];
      if (added[i] < 0) {
        // A configuration without the route came and went, and its counts began anew.
        return Amount.durations(counts, seconds);
      }
    }
    return Amount.durations(added, Math.max(0, seconds - before.seconds()));
  }
}
