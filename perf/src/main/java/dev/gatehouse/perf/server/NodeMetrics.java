package dev.gatehouse.perf.server;

import java.io.IOException;

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
}
