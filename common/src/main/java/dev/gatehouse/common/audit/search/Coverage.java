package dev.gatehouse.common.audit.search;

import java.time.Instant;
import java.util.List;

/**
 * Which events can be found.
 *
 * @param isComplete whether all can be but those of the last seconds
 * @param nodes those whose events are searched, where several nodes share a database; else empty
 */
public record Coverage(boolean isComplete, List<NodeEvents> nodes) {

  public Coverage {
    nodes = List.copyOf(nodes);
  }

  /**
   * The events of one node.
   *
   * @param node its {@code index}
   * @param until its events up to this time can be found, by its own clock
   * @param missing how many of its events cannot be found yet, as far as it has said
   * @param isStopped whether it has stopped in order: there are no later events
   */
  public record NodeEvents(int node, String host, Instant until, long missing, boolean isStopped) {}
}
