package dev.gatehouse.common.remembered;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.remembered.OwnChanges.Count;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for which keys no rows were found, until a change begins that is about the key, or about all. Only of tables that no other
 * process changes: others do not tell of rows that they add. Whatever adds a row must count it as a change. Rows must be read as they are
 * committed at that moment: a transaction that keeps to what was there when it began would be told of none.
 */
public final class RememberedAbsences {

  /** What an absence takes in memory with its key, about: for an identifier of 36 characters, as directories give them. */
  private static final int BYTES_EACH = 250;

  private static final int FEWEST = 10_000;
  private static final int MOST = 1_000_000;

  /** About a sixty-fourth part of the heap. */
  private static final int MAX = Math.clamp(Runtime.getRuntime().maxMemory() / 64 / BYTES_EACH, FEWEST, MOST);

  private final Optional<OwnChanges> changes;

  /** By key, the number of changes before its rows were sought. Maintained by the threads that use it, as caches of sessions are. */
  private final Cache<String, Count> absent = Caffeine.newBuilder().maximumSize(MAX).executor(Runnable::run).build();

  /** @param changes of the rows; empty where other processes change them, too: then nothing is remembered */
  public RememberedAbsences(Optional<OwnChanges> changes) {
    this.changes = changes;
  }

  /**
   * Returns the rows; reads none if it is known that there are none.
   *
   * @param key the one by which changes of these rows are counted
   */
  public <T> List<T> read(String key, Supplier<List<T>> rows) {
    if (changes.isEmpty()) {
      return rows.get();
    }
    OwnChanges counted = changes.get();
    @Nullable Count known = absent.getIfPresent(key);
    if (known != null && counted.isQuietSince(key, known)) {
      return List.of();
    }
    // Before the rows are read: a change meanwhile makes another number.
    Optional<Count> before = counted.quiet(key);
    List<T> found = rows.get();
    if (found.isEmpty()) {
      before.ifPresent(count -> absent.put(key, count));
    }
    return found;
  }
}
