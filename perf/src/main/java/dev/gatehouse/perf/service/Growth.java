package dev.gatehouse.perf.service;

import dev.gatehouse.perf.service.Slope.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * How what a soak looks at grew.
 *
 * @param what a word of {@link Watched}
 * @param judged whether the run was so long that it has to be flat; then only samples from the minute on count at which it was filled
 * @param anHour by how much it grows in an hour
 * @param percentAnHour the same in its mean
 * @param error the standard error of that
 */
record Growth(String what, boolean judged, double first, double last, double mean, double anHour, double percentAnHour, double error) {

  /** Minutes whose mean counts as one sample: a session lives for four, so what is seen in one minute depends on those before it. */
  private static final int TOGETHER = 5;

  /** @param samples at least {@link Slope#FEWEST}, one a minute */
  static Growth of(Watched what, List<Sample> samples) {
    List<Sample> filled = samples.stream().filter(each -> each.minute() >= what.fills()).toList();
    boolean judged = filled.size() >= Slope.FEWEST;
    List<Sample> counted = judged ? filled : samples;
    Slope slope = Slope.of(independent(counted));
    return new Growth(
        what.word(), judged, counted.getFirst().value(), counted.getLast().value(), slope.mean(), slope.anHour(),
        slope.percent(slope.anHour()), slope.percent(slope.error()));
  }

  private static List<Sample> independent(List<Sample> samples) {
    if (samples.size() < TOGETHER * Slope.FEWEST) {
      return samples;
    }
    List<Sample> means = new ArrayList<>();
    for (int end = TOGETHER; end <= samples.size(); end += TOGETHER) {
      List<Sample> some = samples.subList(end - TOGETHER, end);
      means.add(
          new Sample(
              some.stream().mapToDouble(Sample::minute).average().orElseThrow(),
              some.stream().mapToDouble(Sample::value).average().orElseThrow()));
    }
    return means;
  }

  /** Whether it grows, beyond what chance explains. */
  boolean grows() {
    return percentAnHour > 2 * error;
  }
}
