package dev.gatehouse.perf.server;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of a node, of which docs/reference/metrics.md has a list.
 *
 * @param text as Prometheus reads it
 */
public record NodeMetrics(String text) {

  /**
   * Returns a value.
   *
   * @param series the name with its labels as in the text, for example {@code gatehouse_store_memory{part="memtables"}}
   * @throws IOException if the node does not publish it
   */
  public double value(String series) throws IOException {
    String begin = series + " ";
    return text.lines()
        .filter(line -> line.startsWith(begin))
        .mapToDouble(line -> Double.parseDouble(line.substring(begin.length())))
        .findFirst()
        .orElseThrow(() -> new IOException("the node has no metric " + series));
  }

  /**
   * Returns the values of a metric with one label, by that.
   *
   * @param metric the name that docs/reference/metrics.md has, for example {@code gatehouse.store.keys}
   * @throws IOException if the node publishes none
   */
  public Map<String, Double> values(String metric, String label) throws IOException {
    Pattern series = Pattern.compile(Pattern.quote(metric.replace('.', '_')) + "\\{" + label + "=\"([^\"]+)\"} (\\S+)");
    Map<String, Double> values = new TreeMap<>();
    text.lines()
        .map(series::matcher)
        .filter(Matcher::matches)
        .forEach(found -> values.put(found.group(1), Double.parseDouble(found.group(2))));
    if (values.isEmpty()) {
      throw new IOException("the node has no metric " + metric);
    }
    return values;
  }
}
