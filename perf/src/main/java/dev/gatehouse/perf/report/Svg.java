package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Markdown;

/** Parts of inline SVG. Colours come from the page's style sheet, which has them for light and dark. */
final class Svg {

  /** As wide as a phone's column, so that its letters stay legible there. */
  static final int WIDTH = 360;

  private final StringBuilder svg = new StringBuilder();

  /** @param name for those who cannot see it */
  Svg(String name, int height) {
    svg.append(
        Markdown.format("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n", WIDTH, height, escaped(name)));
  }

  Svg text(double x, double y, String anchor, String kind, String text) {
    String form = "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>%n";
    svg.append(Markdown.format(form, x, y, anchor, kind, escaped(text)));
    return this;
  }

  Svg bar(double x, double y, double width, double height, String kind) {
    svg.append(
        Markdown.format(
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" class=\"%s\"/>%n", x, y, Math.max(1, width), height, kind));
    return this;
  }

  Svg line(double x1, double y1, double x2, double y2, String kind) {
    svg.append(Markdown.format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>%n", x1, y1, x2, y2, kind));
    return this;
  }

  Svg dot(double x, double y, String kind) {
    svg.append(Markdown.format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"/>%n", x, y, kind));
    return this;
  }

  /** Text of HTML. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }

  @Override
  public String toString() {
    return svg + "</svg>\n";
  }
}
