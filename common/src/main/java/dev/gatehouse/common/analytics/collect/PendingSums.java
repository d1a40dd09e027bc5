package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sums that are not in the store yet, by minute. Of the labels of a series, realm and dimension only the first ones of each hour have sums
 * of their own, of those that come together the largest; all others are added to {@link SeriesKey#OTHER}. For one thread.
 */
final class PendingSums implements Sums {

  /** Labels of one hour; which one it is. */
  private record Admitted(Instant hour, Set<String> labels) {}

  private final int mostLabels;
  private final LiveSums live;
  private final Map<SeriesKey, Admitted> admitted = new HashMap<>();
  private Map<Instant, Map<SeriesKey, Amount>> minutes = new HashMap<>();

  /** @param live takes the totals, too */
  PendingSums(int mostLabels, LiveSums live) {
    this.mostLabels = mostLabels;
    this.live = live;
  }

  @Override
  public void add(Instant at, Series series, String realm, Map<Dimension, String> labels, Amount amount) {
    Map<SeriesKey, Amount> minute = minutes.computeIfAbsent(Resolution.MINUTE.floor(at), begin -> new HashMap<>());
    add(minute, SeriesKey.total(series, SeriesKey.ALL_REALMS), amount);
    live.add(at, series, SeriesKey.ALL_REALMS, amount);
    labels.forEach((dimension, label) -> add(minute, SeriesKey.of(series, SeriesKey.ALL_REALMS, dimension, label), amount));
    if (!series.hasRealms()) {
      return;
    }
    live.add(at, series, realm, amount);
    add(minute, SeriesKey.total(series, realm), amount);
    add(minute, SeriesKey.of(series, SeriesKey.ALL_REALMS, Dimension.REALM, realm), amount);
    labels.forEach((dimension, label) -> add(minute, SeriesKey.of(series, realm, dimension, label), amount));
  }

  @Override
  public void addLevels(Instant at, Series series, Dimension dimension, Map<String, Double> levels) {
    Amount sum = Amount.level(levels.values().stream().mapToDouble(Double::doubleValue).sum());
    live.add(at, series, SeriesKey.ALL_REALMS, sum);
    Map<SeriesKey, Amount> minute = minutes.computeIfAbsent(Resolution.MINUTE.floor(at), begin -> new HashMap<>());
    levels.forEach((label, level) -> add(minute, SeriesKey.of(series, SeriesKey.ALL_REALMS, dimension, label), Amount.level(level)));
  }

  private static void add(Map<SeriesKey, Amount> minute, SeriesKey key, Amount amount) {
    minute.merge(key, amount, Amount::plus);
  }

  boolean isEmpty() {
    return minutes.isEmpty();
  }

  /** Returns the number of minutes with sums. */
  int minutes() {
    return minutes.size();
  }

  /** Returns all sums and begins anew. */
  Map<Instant, Map<SeriesKey, Amount>> take() {
    Map<Instant, Map<SeriesKey, Amount>> bounded = new HashMap<>();
    minutes.forEach((minute, amounts) -> bounded.put(minute, bounded(Resolution.HOUR.floor(minute), amounts)));
    minutes = new HashMap<>();
    return bounded;
  }

  private Map<SeriesKey, Amount> bounded(Instant hour, Map<SeriesKey, Amount> amounts) {
    List<Map.Entry<SeriesKey, Amount>> largestFirst =
        amounts.entrySet().stream()
            .sorted((one, other) -> Long.compare(other.getValue().samples(), one.getValue().samples()))
            .toList();
    Map<SeriesKey, Amount> bounded = new HashMap<>();
    largestFirst.forEach(entry -> bounded.merge(admit(hour, entry.getKey()), entry.getValue(), Amount::plus));
    return bounded;
  }

  private SeriesKey admit(Instant hour, SeriesKey key) {
    if (key.dimension() == Dimension.TOTAL) {
      return key;
    }
    SeriesKey list = key.other();
    Admitted known = admitted.get(list);
    if (known == null || !known.hour().equals(hour)) {
      known = new Admitted(hour, new HashSet<>());
      admitted.put(list, known);
    }
    if (known.labels().contains(key.label())) {
      return key;
    }
    if (known.labels().size() >= mostLabels) {
      return list;
    }
    known.labels().add(key.label());
    return key;
  }
}
