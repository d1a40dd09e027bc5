package dev.gatehouse.common.valkey;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records that this node found and could not read, because another version wrote them: they stay for nodes of that version. Each counts once,
 * for an hour after it was found the last time.
 */
final class UnreadRecords {

  /** Of one store; more than these are not told apart. */
  static final int MOST = 1_000;

  private static final Duration REMEMBERED = Duration.ofHours(1);

  private final InstantSource time;
  private final Map<String, Map<String, Instant>> found = new ConcurrentHashMap<>();

  UnreadRecords(InstantSource time) {
    this.time = time;
  }

  /**
   * Notes a record.
   *
   * @param store perhaps with the prefix of its kind
   * @param member the name of the record in the store, which says nothing of a person
   */
  void note(String store, String member) {
    String name = store.substring(store.indexOf(':') + 1);
    Map<String, Instant> ofStore = found.computeIfAbsent(name, any -> new ConcurrentHashMap<>());
    if (ofStore.size() >= MOST && !ofStore.containsKey(member)) {
      forgetOld(ofStore);
    }
    if (ofStore.size() < MOST || ofStore.containsKey(member)) {
      ofStore.put(member, time.instant());
    }
  }

  private void forgetOld(Map<String, Instant> ofStore) {
    Instant since = time.instant().minus(REMEMBERED);
    ofStore.values().removeIf(last -> last.isBefore(since));
  }

  /** Returns how many there are, by their stores. */
  SortedMap<String, Integer> counts() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    found.forEach(
        (store, members) -> {
          forgetOld(members);
          if (!members.isEmpty()) {
            counts.put(store, members.size());
          }
        });
    return counts;
  }
}
