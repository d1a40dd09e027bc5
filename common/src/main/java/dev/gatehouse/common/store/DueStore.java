package dev.gatehouse.common.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Work that has its time, kept until it is done: messages that a partner has yet to get. What returned survives kill -9
 * (except in the volatile form). Blocks: call on virtual threads only.
 */
public interface DueStore<V> {

  /**
   * A piece of work.
   *
   * @param key its name; whoever adds it twice under the same one adds it once
   * @param group what it is listed by: a realm's name
   * @param due when it is to be done, to the millisecond
   */
  record Work<V>(String key, String group, V value, Instant due) {}

  /** Adds it; false, and nothing is changed, where the key is there. */
  boolean add(Work<V> work);

  /**
   * Up to {@code most} pieces that are due, the earliest first. Each is due again after {@code lease}, whatever becomes of
   * the caller, and no other caller gets it before.
   */
  List<Work<V>> claim(int most, Duration lease);

  /** Puts another value and time in place of those that are there; false where it was removed meanwhile. */
  boolean replace(String key, V value, Instant due);

  /** Removes it: it is done, or given up. To exactly one caller it says true. */
  boolean remove(String key);

  Optional<Work<V>> find(String key);

  /** Up to {@code most} of the group with keys after {@code after} (empty: from the start), in the order of keys. */
  List<Work<V>> page(String group, String after, int most);

  /** How many the group has; reads their keys: for administrators. */
  long count(String group);

  /** How many there are; costs nothing. */
  long count();
}
