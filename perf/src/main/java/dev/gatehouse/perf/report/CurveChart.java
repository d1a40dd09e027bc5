package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Markdown;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** A scaling curve with both axes logarithmic: points with their spread, the fit, and what is extrapolated. */
final class CurveChart {

  private static final int HEIGHT = 240;
  private static final int LEFT = 58;
  private static final int RIGHT = 14;
  private static final int TOP = 12;
  private static final int BOTTOM = 40;
  private static final double FEWEST_DECADES = 1;

  private CurveChart() {}

  /** Nothing if no point was measured. */
  static Optional<String> of(Curve curve, Map<String, RowRecord> records) {
    List<Curve.Seen> seen = curve.seen(records).stream().filter(each -> each.lowest() > 0).toList();
    return seen.isEmpty() ? Optional.empty() : Optional.of(draw(curve, seen, curve.fit(records)));
  }

  private static String draw(Curve curve, List<Curve.Seen> seen, Optional<Fit> fit) {
    List<Double> beyond = fit.isPresent() ? curve.extrapolated() : List.of();
    double firstX = seen.stream().mapToDouble(Curve.Seen::x).min().orElseThrow();
    double lastSeen = seen.stream().mapToDouble(Curve.Seen::x).max().orElseThrow();
    double lastX = DoubleStream.concat(DoubleStream.of(lastSeen), beyond.stream().mapToDouble(x -> x)).max().orElseThrow();
    DoubleStream all =
        DoubleStream.concat(
            seen.stream().flatMapToDouble(each -> DoubleStream.of(each.lowest(), each.highest())),
            fit.stream().flatMapToDouble(each -> DoubleStream.of(each.at(firstX), each.at(lastX))));
    double[] values = all.toArray();
    Axis x = Axis.of(firstX, lastX, LEFT, Svg.WIDTH - RIGHT, 0);
    double low = DoubleStream.of(values).min().orElseThrow();
    double high = DoubleStream.of(values).max().orElseThrow();
    Axis y = Axis.of(low, high, HEIGHT - BOTTOM, TOP, FEWEST_DECADES);
    Svg svg = new Svg(curve.title(), HEIGHT);
    for (double tick : y.ticks()) {
      svg.line(LEFT, y.at(tick), Svg.WIDTH - RIGHT, y.at(tick), "rule").text(LEFT - 6, y.at(tick) + 4, "end", "tick", brief(tick));
    }
    DoubleStream.concat(curve.places().stream().mapToDouble(Curve.Place::x), beyond.stream().mapToDouble(value -> value))
        .filter(x::contains)
        .forEach(
            tick ->
                svg.line(x.at(tick), TOP, x.at(tick), HEIGHT - BOTTOM, "rule")
                    .text(x.at(tick), HEIGHT - BOTTOM + 15, "middle", "tick", brief(tick)));
    svg.text((LEFT + Svg.WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", "tick", curve.xName());
    fit.ifPresent(
        each -> {
          svg.line(x.at(firstX), y.at(each.at(firstX)), x.at(lastSeen), y.at(each.at(lastSeen)), "fit");
          if (lastX > lastSeen) {
            svg.line(x.at(lastSeen), y.at(each.at(lastSeen)), x.at(lastX), y.at(each.at(lastX)), "fit beyond");
          }
          beyond.forEach(at -> svg.dot(x.at(at), y.at(each.at(at)), "hollow"));
        });
    for (Curve.Seen each : seen) {
      svg.line(x.at(each.x()), y.at(each.lowest()), x.at(each.x()), y.at(each.highest()), "spread");
      svg.dot(x.at(each.x()), y.at(each.y()), each.disturbed() ? "dot busy" : "dot");
    }
    return svg.toString();
  }

  /** A size in few letters. */
  private static String brief(double size) {
    if (size >= 1e6) {
      return Numbers.size(size / 1e6) + "M";
    }
    return size >= 1e3 ? Numbers.size(size / 1e3) + "k" : Numbers.size(size);
  }

  /** @param from the position of the least value */
  private record Axis(double least, double most, int from, int to) {

    static Axis of(double least, double most, int from, int to, double fewestDecades) {
      double middle = Math.sqrt(least * most);
      double half = Math.max(Math.max(Math.log10(most / least), fewestDecades) / 2, 0.05) * 1.08;
      return new Axis(middle / Math.pow(10, half), middle * Math.pow(10, half), from, to);
    }

    boolean contains(double value) {
      return value >= least && value <= most;
    }

    double at(double value) {
      return from + (to - from) * Math.log(value / least) / Math.log(most / least);
    }

    double[] ticks() {
      return DoubleStream.iterate(Math.pow(10, Math.floor(Math.log10(least))), tick -> tick <= most, tick -> tick * 10)
          .flatMap(tick -> DoubleStream.of(tick, 2 * tick, 5 * tick))
          .map(tick -> Double.parseDouble(Markdown.format("%.3g", tick)))
          .filter(this::contains)
          .toArray();
    }
  }
}
