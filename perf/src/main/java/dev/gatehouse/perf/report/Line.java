package dev.gatehouse.perf.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A figure of the published reports (FIGURES S1 to S6), as this project lists them in {@code figures.txt}.
 *
 * @param id begins with the section: {@code s1.sp.transient.post.http}
 * @param published the figures as they were published, with units
 * @param number the one of them that is best for a CPU, in {@code unit}; none where there is no such number
 * @param cpus of the servers that had it; 0 if that is not known
 * @param reason why no row measures it; empty if one does
 */
public record Line(String id, String what, String published, OptionalDouble number, String unit, int cpus, String reason) {

  private static final int FIELDS = 7;
  private static final List<Line> ALL = read();

  /** All lines, in the order of the reports. */
  public static List<Line> all() {
    return ALL;
  }

  /** The section, such as {@code S1}. */
  public String section() {
    return id.substring(0, id.indexOf('.')).toUpperCase(Locale.ROOT);
  }

  private static List<Line> read() {
    try (InputStream in = Objects.requireNonNull(Line.class.getResourceAsStream("figures.txt"), "figures.txt")) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<Line> parse(String text) {
    List<Line> lines = new ArrayList<>();
    for (String each : text.lines().toList()) {
      if (each.isBlank() || each.startsWith("#")) {
        continue;
      }
      String[] fields = each.split("\\|", -1);
      if (fields.length != FIELDS) {
        throw new IllegalArgumentException("a line of figures.txt has " + fields.length + " fields in place of " + FIELDS + ": " + each);
      }
      for (int i = 0; i < fields.length; i++) {
        fields[i] = fields[i].strip();
      }
      OptionalDouble number = fields[3].isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(fields[3]));
      int cpus = fields[5].isEmpty() ? 0 : Integer.parseInt(fields[5]);
      lines.add(new Line(fields[0], fields[1], fields[2], number, fields[4], cpus, fields[6]));
    }
    return List.copyOf(lines);
  }
}
