package dev.gatehouse.common.store;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Values that may be taken once: authorization codes, artifacts, pending requests, tickets (SAML Bindings 3.6.5.2, RFC
 * 6749 4.1.2). Blocks: call on virtual threads only.
 *
 * @param <V> the value; a codec given to the store's form makes it bytes
 */
public interface SingleUseStore<V> {

  /** Stores it; throws {@link IllegalStateException} where the key exists or was taken. */
  void put(String key, V value, Instant expiresAt);

  /** Stores it, also in place of a value that was not taken yet; false, and nothing changes, where one was taken. */
  boolean replace(String key, V value, Instant expiresAt);

  /**
   * Stores what is made of the value that is held, atomically; nothing where one was taken. Everybody sees it at once, and it reaches the disk about a
   * second later, together with others: a process that is killed before loses it, and what was stored before it is there again. The other
   * methods write at once, and no later write of this one undoes them. For what may be lost without harm.
   *
   * @param change does not call this store
   */
  void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt);

  /** Takes it: of parallel callers exactly one gets {@link TakeResult.First}. Durable when it returns. */
  TakeResult<V> take(String key);

  /** Looks without taking, for pages that may be reloaded. Expired or taken: empty. */
  Optional<V> peek(String key);

  /**
   * Removes it and leaves no trace, as if it had never been there: for what gives way to others before anybody took it. What was taken stays
   * taken.
   */
  void discard(String key);
}
