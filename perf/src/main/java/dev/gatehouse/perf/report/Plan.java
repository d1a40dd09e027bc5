package dev.gatehouse.perf.report;

import java.util.List;
import java.util.Optional;

/**
 * All rows and curves, in the order in which they are run.
 *
 * @param peers how others are set up that are measured beside ours
 */
public record Plan(List<Row> rows, List<Curve> curves, List<Settings> peers) {

  /**
   * The settings of a peer.
   *
   * @param guide by whose advice it is tuned, in a sentence
   * @param text its configuration
   */
  public record Settings(String name, String guide, String text) {}

  public Plan {
    rows = List.copyOf(rows);
    curves = List.copyOf(curves);
    peers = List.copyOf(peers);
  }

  public Optional<Row> row(String id) {
    return rows.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** The row that measures a figure. */
  public Optional<Row> rowOf(String figure) {
    return rows.stream().filter(row -> row.taken().stream().anyMatch(taken -> taken.figure().equals(figure))).findFirst();
  }

  public double minutes(boolean isQuick) {
    return rows.stream().filter(row -> !isQuick || row.isQuick()).mapToDouble(row -> row.length(isQuick).minutes()).sum();
  }
}
