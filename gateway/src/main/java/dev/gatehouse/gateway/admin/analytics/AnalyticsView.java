package dev.gatehouse.gateway.admin.analytics;

import dev.gatehouse.common.analytics.Report;
import dev.gatehouse.common.analytics.Statistics;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A series over a range. */
@Schema(name = "Analytics")
public record AnalyticsView(
    String series,
    @Schema(description = "What the lines are divided by, or total") String by,
    @Schema(description = "Absent for all realms") Optional<String> realm,
    @Schema(description = "second, minute, hour or day") String resolution,
    @Schema(description = "The begin of the first period") Instant from,
    Instant to,
    @Schema(description = "This node has stored what happened until then") Instant storedUpTo,
    @Schema(description = "The largest first, and then the others together as other") List<LineView> lines) {

  /** A line. */
  @Schema(name = "AnalyticsLine")
  public record LineView(
      @Schema(description = "A value of the dimension; empty for the total") String label,
      @Schema(description = "Of the whole range") Figures all,
      @Schema(description = "Periods in which something happened, the oldest first") List<PointView> points) {}

  /** A period. */
  @Schema(name = "AnalyticsPoint")
  public record PointView(@Schema(description = "The begin of the period") Instant at, Figures figures) {}

  /** Figures of a time. */
  @Schema(name = "AnalyticsFigures")
  public record Figures(
      @Schema(description = "How often it happened; absent for levels") Optional<Long> count,
      @Schema(description = "Mean duration in seconds, or mean level") Optional<Double> mean,
      @Schema(description = "The highest level") Optional<Double> peak,
      @Schema(description = "Part of all, 0 to 1") Optional<Double> ratio,
      @Schema(description = "Half of all took at most so many seconds") Optional<Double> p50,
      Optional<Double> p90,
      Optional<Double> p95,
      Optional<Double> p99) {

    static Figures of(Statistics statistics) {
      return new Figures(
          statistics.count().isPresent() ? Optional.of(statistics.count().getAsLong()) : Optional.empty(),
          boxed(statistics.mean()), boxed(statistics.peak()), boxed(statistics.ratio()), boxed(statistics.p50()),
          boxed(statistics.p90()), boxed(statistics.p95()), boxed(statistics.p99()));
    }

    private static Optional<Double> boxed(OptionalDouble value) {
      return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }

    /** Returns the one number that a chart shows. */
    public double shown() {
      return p95.or(() -> ratio).or(() -> mean).orElseGet(() -> (double) count.orElse(0L));
    }
  }

  static List<LineView> lines(Report report) {
    return report.lines().stream()
        .map(
            line ->
                new LineView(
                    line.label(),
                    Figures.of(line.all()),
                    line.points().stream().map(point -> new PointView(point.at(), Figures.of(point.statistics()))).toList()))
        .toList();
  }
}
