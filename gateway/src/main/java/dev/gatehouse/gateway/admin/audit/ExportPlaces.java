package dev.gatehouse.gateway.admin.audit;

import dev.gatehouse.common.compute.Busy;
import java.util.HashMap;
import java.util.Map;

/**
 * Places for exports, each of which lasts as long as its client reads. An administrator has two of them at most, so that one who does not
 * read leaves places to others.
 */
final class ExportPlaces {

  static final int MOST = 8;
  private static final int MOST_EACH = 2;

  private final Map<String, Integer> taken = new HashMap<>();

  /** A place, until it is left. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Takes a place.
   *
   * @throws Busy if there is none for the administrator
   */
  synchronized Place take(String administrator) {
    int all = taken.values().stream().mapToInt(Integer::intValue).sum();
    if (all >= MOST || taken.getOrDefault(administrator, 0) >= MOST_EACH) {
      throw new Busy();
    }
    taken.merge(administrator, 1, Integer::sum);
    return () -> leave(administrator);
  }

  private synchronized void leave(String administrator) {
    taken.computeIfPresent(administrator, (name, places) -> places == 1 ? null : places - 1);
  }
}
