package dev.gatehouse.gateway.admin.token;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Numbers of failures by key and reason. Whoever types names at random fills no memory, and takes no line of people away: names that nobody
 * has are counted together first.
 */
final class FailureCounts {

  /** Where keys beyond the bound of their origin are counted together. */
  static final String OTHERS = "(others)";

  /** Whose key it is, with the number of those that get a line of their own. */
  enum Origin {
    /** A name that the realm does not know. */
    STRANGER(20_000),
    /** Somebody of another realm, or a name with that realm's suffix. */
    VISITOR(20_000),
    PERSON(100_000);

    private final int most;

    Origin(int most) {
      this.most = most;
    }
  }

  private final Map<String, Map<String, Long>> reasons = new HashMap<>();
  private final EnumMap<Origin, Integer> keys = new EnumMap<>(Origin.class);

  /** Counts one. */
  void count(Origin origin, String key, String reason) {
    String line = key;
    if (!reasons.containsKey(key)) {
      int there = keys.getOrDefault(origin, 0);
      if (there < origin.most) {
        keys.put(origin, there + 1);
      } else {
        line = OTHERS;
      }
    }
    reasons.computeIfAbsent(line, k -> new TreeMap<>()).merge(reason, 1L, Long::sum);
  }

  /** Returns the numbers by reason of each key. */
  Stream<Map.Entry<String, Map<String, Long>>> lines() {
    return reasons.entrySet().stream();
  }
}
