package dev.gatehouse.perf.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Stacked bars, one below the other, as SVG. */
public final class BarChart {

  private static final int WIDTH = 800;
  private static final int LEFT = 290;
  private static final int RIGHT = 70;
  private static final int TOP = 70;
  private static final int BAR = 18;
  private static final int STEP = 26;
  private static final List<String> COLOURS = List.of("#1f5f99", "#2e8b57", "#c08a2b", "#7a5ba8");

  /** @param parts in the order in which they are stacked; the same names in each bar */
  public record Bar(String name, Map<String, Double> parts) {
    double total() {
      return parts.values().stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  private BarChart() {}

  public static String svg(String title, List<Bar> bars) {
    double most = bars.stream().mapToDouble(Bar::total).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    svg.append(format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ", WIDTH, TOP + STEP * bars.size() + 20));
    svg.append("font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    svg.append(text(20, 26, "start", title, "font-weight=\"bold\""));
    legend(svg, bars);
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      int y = TOP + STEP * i;
      svg.append(text(LEFT - 8, y + 14, "end", bar.name(), ""));
      double x = LEFT;
      int colour = 0;
      for (double part : bar.parts().values()) {
        double width = part / most * (WIDTH - LEFT - RIGHT);
        svg.append(rectangle(x, y, width, BAR, COLOURS.get(colour++ % COLOURS.size())));
        x += width;
      }
      svg.append(text(x + 6, y + 14, "start", format("%.2f", bar.total()), ""));
    }
    return svg.append("</svg>\n").toString();
  }

  private static void legend(StringBuilder svg, List<Bar> bars) {
    double x = LEFT;
    int colour = 0;
    for (String name : bars.isEmpty() ? List.<String>of() : bars.getFirst().parts().keySet()) {
      svg.append(rectangle(x, 40, 12, 12, COLOURS.get(colour++ % COLOURS.size())));
      svg.append(text(x + 18, 51, "start", name, ""));
      x += 40 + 8 * name.length();
    }
  }

  private static String rectangle(double x, double y, double width, double height, String colour) {
    return format(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n", x, y, width, height, colour);
  }

  /** Names are ours and have nothing to escape. */
  private static String text(double x, double y, String anchor, String text, String more) {
    return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222\" %s>%s</text>%n", x, y, anchor, more, text);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
