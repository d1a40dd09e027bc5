package dev.gatehouse.perf.report;

import dev.gatehouse.perf.report.Figure.Beside;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bars of the rates of a section, per CPU: published, ours, peer, limit; the axis is logarithmic, because ages lie between them. */
final class BarChart {

  private static final int BAR = 14;
  private static final int TITLE = 19;
  private static final int GAP = 10;
  private static final int RIGHT = 66;

  /** A bar that is as long as the longest name has it inside. */
  private static final int INSIDE = 170;

  /** A title that is longer goes beyond the chart; the table has it whole. */
  private static final int LETTERS = 44;

  private record Bar(String kind, String name, double value) {}

  private record Group(String title, List<Bar> bars) {}

  private BarChart() {}

  /** Nothing if the section has no measured rate with something beside it. */
  static Optional<String> of(ReportTables.Section section) {
    List<Group> groups = new ArrayList<>();
    for (Entry entry : section.entries()) {
      List<Bar> bars = bars(entry);
      if (bars.size() > 1 && bars.stream().anyMatch(bar -> bar.kind().startsWith("ours"))) {
        groups.add(new Group(entry.line().what(), bars));
      }
    }
    return groups.isEmpty() ? Optional.empty() : Optional.of(draw(section.title(), groups));
  }

  private static List<Bar> bars(Entry entry) {
    List<Bar> bars = new ArrayList<>();
    Optional<Figure> figure = entry.figure().filter(each -> each.unit().equals("per CPU second") || each.unit().equals("ops/s"));
    if (figure.isEmpty()) {
      return bars;
    }
    entry.publishedPerCpu().ifPresent(each -> bars.add(new Bar("published", "published", each)));
    bars.add(new Bar(entry.disturbed() ? "ours busy" : "ours", entry.disturbed() ? "ours, BUSY" : "ours", figure.get().median()));
    for (Beside each : figure.get().beside()) {
      bars.add(new Bar(each.kind() == Beside.Kind.PEER ? "peer" : "limit", each.name(), each.median()));
    }
    return bars;
  }

  private static String draw(String name, List<Group> groups) {
    double least = groups.stream().flatMap(group -> group.bars().stream()).mapToDouble(Bar::value).min().orElseThrow() / 2;
    double most = groups.stream().flatMap(group -> group.bars().stream()).mapToDouble(Bar::value).max().orElseThrow();
    int height = groups.stream().mapToInt(group -> TITLE + (BAR + 2) * group.bars().size() + GAP).sum();
    Svg svg = new Svg("Rates per CPU: " + name, height);
    double y = 0;
    for (Group group : groups) {
      String title = group.title();
      svg.text(0, y + TITLE - 4, "start", "what", title.length() > LETTERS ? title.substring(0, LETTERS) + "…" : title);
      y += TITLE;
      for (Bar bar : group.bars()) {
        double width = Math.log(bar.value() / least) / Math.log(most / least) * (Svg.WIDTH - RIGHT);
        svg.bar(0, y, width, BAR, bar.kind());
        String value = Numbers.of(bar.value());
        if (width > INSIDE) {
          svg.text(width - 4, y + BAR - 3, "end", bar.kind().contains("busy") ? "inside busy" : "inside", bar.name());
          svg.text(width + 4, y + BAR - 3, "start", "value", value);
        } else {
          svg.text(width + 4, y + BAR - 3, "start", "value", value + " " + bar.name());
        }
        y += BAR + 2;
      }
      y += GAP;
    }
    return svg.toString();
  }
}
