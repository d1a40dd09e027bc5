package dev.gatehouse.common.valkey;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a node's near caches, which have one bound together: a sixth of the heap. What a session takes is estimated from its
 * length, because a person may have one group or a thousand. A number alone would fill the heap of a small node, whose Valkey has more
 * sessions than fit into it. The kind that is asked for most has most of the room; what does not fit is read from Valkey.
 */
final class NearEntries {

  /**
   * The most of all kinds together, however large the heap is: names share counters of changes, and after a change all entries of its
   * counter are read again.
   */
  static final int MOST = 200_000;

  /** Leaves the rest to requests, to what else follows the heap, and to the node itself. */
  private static final int SHARE = 6;

  private final Cache<Name, Entry<?>> entries;

  /** A session's name among those of all kinds. */
  record Name(String kind, String member) {}

  /**
   * A session as it was read.
   *
   * @param changes how often something with its counter had been changed before
   * @param epoch the connection by which it was read
   */
  record Entry<S>(Stored<S> stored, int changes, long epoch) {}

  /** @param room bytes that all entries take, as estimated */
  NearEntries(long room) {
    int least = (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(room, MOST));
    this.entries =
        Caffeine.newBuilder()
            .maximumWeight(room)
            .weigher((Name name, Entry<?> entry) -> Math.max(least, entry.stored().bytes()))
            .executor(Runnable::run)
            .build();
  }

  /** Returns the room of a node whose heap has so many bytes at most. */
  static long room(long heap) {
    return heap / SHARE;
  }

  @Nullable Entry<?> find(Name name) {
    return entries.getIfPresent(name);
  }

  /** Keeps the entry, or removes the one that is there if that does not hold any more; looks and keeps as one step. */
  void keep(Name name, Entry<?> entry, BooleanSupplier holds) {
    entries.asMap().compute(name, (any, kept) -> holds.getAsBoolean() ? entry : null);
  }

  void forget(Name name) {
    entries.invalidate(name);
  }
}
