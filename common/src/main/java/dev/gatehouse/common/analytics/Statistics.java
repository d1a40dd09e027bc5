package dev.gatehouse.common.analytics;

import java.util.Collection;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What an amount says. Durations are in seconds.
 *
 * @param count how often it happened; empty for levels
 * @param mean of durations and levels
 * @param peak the highest level
 * @param ratio the part of all
 * @param p50 half of all took no longer
 */
public record Statistics(
    OptionalLong count, OptionalDouble mean, OptionalDouble peak, OptionalDouble ratio, OptionalDouble p50, OptionalDouble p90,
    OptionalDouble p95, OptionalDouble p99) {

  /** @param ofLabels the amount of each label, of all nodes together */
  static Statistics of(Series.Kind kind, Collection<Amount> ofLabels) {
    Amount all = ofLabels.stream().reduce(Amount.NONE, Amount::plus);
    OptionalDouble none = OptionalDouble.empty();
    return switch (kind) {
      case COUNT -> new Statistics(OptionalLong.of(all.samples()), none, none, none, none, none, none, none);
      case RATIO -> new Statistics(OptionalLong.of(all.samples()), none, none, all.mean(), none, none, none, none);
      case LEVEL -> {
        // Nodes look at the same, each as often as it was running: a label has the mean of all looks. What labels have is added up.
        double mean = ofLabels.stream().mapToDouble(amount -> amount.mean().orElse(0)).sum();
        double peak = ofLabels.stream().mapToDouble(Amount::peak).sum();
        yield new Statistics(OptionalLong.empty(), OptionalDouble.of(mean), OptionalDouble.of(peak), none, none, none, none, none);
      }
      case DURATION ->
          new Statistics(
              OptionalLong.of(all.samples()), all.mean(), none, none, all.quantile(0.5), all.quantile(0.9), all.quantile(0.95),
              all.quantile(0.99));
    };
  }

  /** The one number that a chart shows: of counts the count, of durations the 95th percentile, the mean level, or the ratio. */
  public double shown() {
    return p95.orElse(ratio.orElse(mean.orElse(count.orElse(0))));
  }
}
