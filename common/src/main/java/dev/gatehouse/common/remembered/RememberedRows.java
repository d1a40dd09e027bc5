package dev.gatehouse.common.remembered;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in memory what was read, until it is forgotten here, is too old, or anything was changed elsewhere. That something does not
 * exist is never remembered here: {@link RememberedAbsences} are for that.
 */
public final class RememberedRows<K, V> {

  private record Row<V>(V value, long heard) {}

  private final Cache<K, Row<V>> rows;
  private final Supplier<OptionalLong> heard;

  /**
   * @param fresh how old a row may be, however little was changed
   * @param heard the number of changes that this node has heard of, as {@link RowChanges#heard} tells it
   */
  public RememberedRows(int most, Optional<Duration> fresh, Supplier<OptionalLong> heard) {
    // As caches of sessions: to wake a thread for the order of entries costs more than to keep it.
    Caffeine<Object, Object> built = Caffeine.newBuilder().maximumSize(most).executor(Runnable::run);
    this.rows = fresh.map(built::expireAfterWrite).orElse(built).build();
    this.heard = heard;
  }

  /**
   * Returns what is remembered, or reads it.
   *
   * @param suits whether what is remembered may be used
   */
  public Optional<V> get(K key, Predicate<V> suits, Supplier<Optional<V>> read) {
    OptionalLong now = heard.get();
    if (now.isEmpty()) {
      return read.get();
    }
    Row<V> known = rows.getIfPresent(key);
    if (!counts(known, now.getAsLong(), suits)) {
      // Under the lock of the key: who forgets it waits, and removes what was read before.
      known = rows.asMap().compute(key, (any, before) -> counts(before, now.getAsLong(), suits) ? before : read(now.getAsLong(), read));
    }
    return Optional.ofNullable(known).map(Row::value);
  }

  private static <V> boolean counts(@Nullable Row<V> row, long now, Predicate<V> suits) {
    return row != null && row.heard() == now && suits.test(row.value());
  }

  /** The number was taken before the row is read: a change meanwhile makes another number. */
  private static <V> @Nullable Row<V> read(long now, Supplier<Optional<V>> read) {
    return read.get().map(value -> new Row<>(value, now)).orElse(null);
  }

  /** Forgets what this node has changed itself. */
  public void forget(K key) {
    rows.invalidate(key);
  }
}
