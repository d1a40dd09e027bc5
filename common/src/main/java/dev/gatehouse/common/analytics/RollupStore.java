package dev.gatehouse.common.analytics;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores amounts by minute, hour and day, each node its own. Blocks. A question reads the amounts of one series, realm and
 * dimension only: at most one row for each period, label and node.
 */
public interface RollupStore {

  /**
   * How far a node is.
   *
   * @param batches the number of its last batch
   * @param followed the number of the last event that it counted
   */
  record Progress(long batches, long followed) {}

  /** One period of one label; each node has a row of its own. */
  record Row(Instant at, String label, Amount amount) {}

  /** Returns how far the node is; empty if it never began. */
  Optional<Progress> progress(int node);

  /** Records that a node begins, or begins anew, behind that event. */
  void begin(int node, long followed);

  /** Adds a batch with its logins in one transaction; does nothing if it has been added before. */
  void add(int node, Batch batch);

  /** Returns the rows of the periods that begin from a time on and before another, ordered by their begin. */
  List<Row> read(Resolution resolution, Series series, String realm, Dimension dimension, Instant from, Instant to);

  /** Removes periods that begin before that time. */
  void drop(Resolution resolution, Instant before);
}
