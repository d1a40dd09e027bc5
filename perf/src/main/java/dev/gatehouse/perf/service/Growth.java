package dev.gatehouse.perf.service;

import dev.gatehouse.perf.service.Slope.Sample;
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

  /** @param samples at least {@link Slope#FEWEST} */
  static Growth of(Watched what, List<Sample> samples) {
    List<Sample> filled = samples.stream().filter(each -> each.minute() >= what.fills()).toList();
    boolean judged = filled.size() >= Slope.FEWEST;
    List<Sample> counted = judged ? filled : samples;
    Slope slope = Slope.of(counted);
    return new Growth(
        what.word(), judged, counted.getFirst().value(), counted.getLast().value(), slope.mean(), slope.anHour(),
        slope.percent(slope.anHour()), slope.percent(slope.error()));
  }

  /** Whether it grows, beyond what chance explains. */
  boolean grows() {
    return percentAnHour > 2 * error;
  }
}
