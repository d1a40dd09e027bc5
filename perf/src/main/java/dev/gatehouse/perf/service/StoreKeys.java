package dev.gatehouse.perf.service;

import dev.gatehouse.perf.server.NodeMetrics;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * About how many keys the stores of a node have, as its metrics say.
 *
 * @param ending of what ends with sessions, codes and tokens, or soon
 * @param marks of messages that must not be used again, and of logouts: they are kept for an hour and longer, whatever is configured
 */
record StoreKeys(double ending, double marks) {

  private static final Set<String> MARKS = Set.of("replay", "sessions.sp-logout-marks");

  static StoreKeys of(NodeMetrics metrics) throws IOException {
    double ending = 0;
    double marks = 0;
    for (Map.Entry<String, Double> store : metrics.values("gatehouse.store.keys", "store").entrySet()) {
      if (MARKS.contains(store.getKey())) {
        marks += store.getValue();
      } else {
        ending += store.getValue();
      }
    }
    return new StoreKeys(ending, marks);
  }
}
