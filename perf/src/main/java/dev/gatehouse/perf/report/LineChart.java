package dev.gatehouse.perf.report;

import java.util.List;
import java.util.Locale;

/** Curves over time as SVG; both axes logarithmic, because a warm-up is a matter of orders of magnitude. */
public final class LineChart {

  private static final int WIDTH = 800;
  private static final int HEIGHT = 460;
  private static final int LEFT = 70;
  private static final int RIGHT = 30;
  private static final int TOP = 50;
  private static final int BOTTOM = 90;
  private static final List<String> COLOURS = List.of("#1f5f99", "#2e8b57", "#b5452c", "#7a5ba8", "#8a6d1a");

  /** One point of a curve; both greater than 0. */
  public record Point(double x, double y) {}

  /** One curve. */
  public record Curve(String name, List<Point> points) {
    public Curve {
      points = List.copyOf(points);
    }
  }

  private final String title;
  private final String xName;
  private final List<Curve> curves;
  private final double minX;
  private final double maxX;
  private final double minY;
  private final double maxY;

  private LineChart(String title, String xName, List<Curve> curves) {
    this.title = title;
    this.xName = xName;
    this.curves = List.copyOf(curves);
    List<Point> all = curves.stream().flatMap(curve -> curve.points().stream()).toList();
    this.minX = all.stream().mapToDouble(Point::x).min().orElse(1) * 0.9;
    this.maxX = all.stream().mapToDouble(Point::x).max().orElse(10) * 1.1;
    this.minY = all.stream().mapToDouble(Point::y).min().orElse(1) * 0.8;
    this.maxY = all.stream().mapToDouble(Point::y).max().orElse(10) * 1.25;
  }

  public static String svg(String title, String xName, List<Curve> curves) {
    return new LineChart(title, xName, curves).draw();
  }

  private String draw() {
    StringBuilder svg = new StringBuilder();
    svg.append(format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ", WIDTH, HEIGHT));
    svg.append("font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    svg.append(text(LEFT, 26, "start", title, "font-weight=\"bold\""));
    grid(svg);
    int legend = LEFT;
    for (int i = 0; i < curves.size(); i++) {
      Curve curve = curves.get(i);
      String colour = COLOURS.get(i % COLOURS.size());
      StringBuilder points = new StringBuilder();
      curve.points().forEach(point -> points.append(format("%.1f,%.1f ", x(point.x()), y(point.y()))));
      svg.append(format("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n", colour, points));
      svg.append(format("<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>%n", legend, HEIGHT - 24, colour));
      svg.append(text(legend + 20, HEIGHT - 18, "start", curve.name(), ""));
      legend += 40 + 8 * curve.name().length();
    }
    return svg.append("</svg>\n").toString();
  }

  private void grid(StringBuilder svg) {
    for (double decade = 0.001; decade < 1e7; decade *= 10) {
      for (int step : new int[] {1, 2, 5}) {
        double value = decade * step;
        if (value >= minX && value <= maxX) {
          svg.append(line(x(value), TOP, x(value), HEIGHT - BOTTOM));
          svg.append(text(x(value), HEIGHT - BOTTOM + 18, "middle", number(value), ""));
        }
        if (value >= minY && value <= maxY) {
          svg.append(line(LEFT, y(value), WIDTH - RIGHT, y(value)));
          svg.append(text(LEFT - 8, y(value) + 4, "end", number(value), ""));
        }
      }
    }
    svg.append(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - BOTTOM + 38, "middle", xName, ""));
  }

  private double x(double value) {
    return LEFT + (WIDTH - LEFT - RIGHT) * Math.log(value / minX) / Math.log(maxX / minX);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.log(value / minY) / Math.log(maxY / minY);
  }

  private static String number(double value) {
    return value >= 1 ? format("%,.0f", value) : format("%.3g", value);
  }

  private static String line(double x1, double y1, double x2, double y2) {
    return format("<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#ddd\"/>%n", x1, y1, x2, y2);
  }

  /** Names are ours and have nothing to escape. */
  private static String text(double x, double y, String anchor, String text, String more) {
    return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222\" %s>%s</text>%n", x, y, anchor, more, text);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
