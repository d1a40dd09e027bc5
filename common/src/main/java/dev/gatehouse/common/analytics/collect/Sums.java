package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import java.time.Instant;
import java.util.Map;

/** Takes what happened. */
interface Sums {

  /**
   * Adds an amount to the series as a whole and to each of its parts, for the realm and for all realms.
   *
   * @param realm {@link SeriesKey#ALL_REALMS} for series of the node
   * @param labels the values of the series' dimensions
   */
  void add(Instant at, Series series, String realm, Map<Dimension, String> labels, Amount amount);

  /** Adds one look at levels. Only the live seconds get their sum; see {@code Report.total}. */
  void addLevels(Instant at, Series series, Dimension dimension, Map<String, Double> levels);
}
