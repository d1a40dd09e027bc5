package dev.gatehouse.common.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores work that is due at a given time until it is done, for example messages that must still reach a partner. A change
 * survives kill -9 once its method has returned (except in the volatile form). Blocks: call on virtual threads only.
 */
public interface DueStore<V> {

  /**
   * A piece of work.
   *
   * @param key its unique name; adding the same key twice adds one piece
   * @param group the group for listing: a realm's name
   * @param due when the work is to be done, to the millisecond
   */
  record Work<V>(String key, String group, V value, Instant due) {}

  /** Adds the work. Returns false and changes nothing if the key exists. */
  boolean add(Work<V> work);

  /**
   * Returns up to {@code limit} pieces that are due, the earliest first. Each becomes due again after {@code lease}, even if the
   * caller fails; no other caller gets it before.
   */
  List<Work<V>> claim(int limit, Duration lease);

  /** Replaces the value and the time of the piece; returns false if it was removed meanwhile. */
  boolean replace(String key, V value, Instant due);

  /** Removes a piece that is done or given up. Returns true to exactly one caller. */
  boolean remove(String key);

  Optional<Work<V>> find(String key);

  /** Returns up to {@code limit} of the group with keys after {@code after} (empty: from the start), in the order of keys. */
  List<Work<V>> page(String group, String after, int limit);

  /** Returns the number of pieces of the group. Reads all their keys, so it is for administrators only. */
  long count(String group);

  /** Returns the number of all pieces in constant time. */
  long count();
}
