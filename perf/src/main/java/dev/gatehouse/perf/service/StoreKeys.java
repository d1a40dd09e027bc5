package dev.gatehouse.perf.service;

import dev.gatehouse.perf.server.NodeMetrics;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * About how many keys each store of a node has, as its metrics say: RocksDB estimates them.
 *
 * @param byStore by the store's name
 */
record StoreKeys(Map<String, Double> byStore) {

  /** Of messages that must not be used again, and of logouts: they are kept for an hour and longer, whatever is configured. */
  private static final Set<String> MARKS = Set.of("replay", "sessions.sp-logout-marks");

  static StoreKeys of(NodeMetrics metrics) throws IOException {
    return new StoreKeys(metrics.values("gatehouse.store.keys", "store"));
  }

  /** Those of what ends with sessions, codes and tokens, or soon. */
  double ending() {
    return sum(false);
  }

  double marks() {
    return sum(true);
  }

  private double sum(boolean marks) {
    return byStore.entrySet().stream()
        .filter(store -> MARKS.contains(store.getKey()) == marks)
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
