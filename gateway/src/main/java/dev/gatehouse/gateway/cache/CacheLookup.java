package dev.gatehouse.gateway.cache;

/**
 * The stored response for a request. Of the client's cache directives, {@code only-if-cached} and {@code no-store} are
 * obeyed; {@code no-cache}, {@code max-age}, {@code min-fresh} and {@code max-stale} are not (RFC 9111, section 5.2.1,
 * leaves this to the cache), because a client that reloads a page must not be able to overload the app behind the
 * cache.
 */
public sealed interface CacheLookup {

  /** The response may be sent. */
  record Fresh(StoredResponse response) implements CacheLookup {}

  /** The response may be sent, and must be refreshed in the background. */
  record Tolerable(StoredResponse response) implements CacheLookup {}

  /** The response may be sent only after the app has confirmed it. */
  record Stale(StoredResponse response) implements CacheLookup {}

  record Miss(CacheStatus.Forward why) implements CacheLookup {}

  Miss NOTHING = new Miss(CacheStatus.Forward.URI_MISS);
  Miss NO_VARIANT = new Miss(CacheStatus.Forward.VARY_MISS);
}
