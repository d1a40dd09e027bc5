package dev.gatehouse.common.store;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Stores values that may be taken once: authorization codes, artifacts, pending requests, tickets (SAML Bindings 3.6.5.2,
 * RFC 6749 4.1.2). Blocks: call on virtual threads only.
 *
 * @param <V> the value; durable forms have a codec for it
 */
public interface SingleUseStore<V> {

  /** Stores the value; throws {@link IllegalStateException} if the key exists or was taken. */
  void put(String key, V value, Instant expiresAt);

  /** Stores the value, also in place of one that was not taken yet. Returns false and changes nothing if one was taken. */
  boolean replace(String key, V value, Instant expiresAt);

  /**
   * Stores the result of {@code change} for the stored value, atomically; does nothing if one was taken. All callers see it at once.
   * It reaches the disk about a second later, together with others: if the process is killed before, the change is lost and the
   * earlier value is restored. The other methods write at once, and no postponed write undoes them. For changes that may be lost
   * without harm.
   *
   * @param change is called later, perhaps more than once; does not call this store
   */
  void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt);

  /** Takes the value: exactly one of parallel callers gets {@link TakeResult.First}. Durable when it returns. */
  TakeResult<V> take(String key);

  /**
   * Takes the value if it fits. One that does not fit stays, and counts as absent here. For values that are not replaced: what is looked
   * at and what is taken may be two steps.
   *
   * @param fits is quick and does not call this store
   */
  default TakeResult<V> take(String key, Predicate<V> fits) {
    return peek(key).filter(value -> !fits.test(value)).isPresent() ? new TakeResult.Absent<>() : take(key);
  }

  /** Returns the value without taking it, for pages that may be reloaded; empty if expired or taken. */
  Optional<V> peek(String key);

  /**
   * Removes the value without a tombstone, as if it had never been stored: for values that are displaced before they are
   * taken. Does nothing to a taken value.
   */
  void discard(String key);
}
