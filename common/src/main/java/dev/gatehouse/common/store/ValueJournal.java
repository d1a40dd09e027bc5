package dev.gatehouse.common.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Values that a node keeps on its own disk until it has written them elsewhere. They are few enough to be read all when the node starts. A
 * change survives kill -9 once its method has returned.
 */
public interface ValueJournal<V> {

  /**
   * Stores the values under their keys, all in one write; a value replaces the former one of its key. They survive loss of power, with
   * all that the stores were told before.
   */
  void put(Map<String, V> values);

  /** Removes the values of these keys, all in one write. */
  void remove(Collection<String> keys);

  /** Returns all values, by their keys in order; those that another version wrote and this one cannot read stay, and are left out. */
  List<V> all();
}
