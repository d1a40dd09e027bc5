package dev.gatehouse.gateway.cache;

/**
 * What is kept for a request. Of what a client asks of caches, {@code only-if-cached} and {@code no-store} are obeyed;
 * {@code no-cache}, {@code max-age}, {@code min-fresh} and {@code max-stale} are not (RFC 9111, section 5.2.1, leaves it to the
 * cache): whoever may reload a page must not thereby load the app behind it.
 */
public sealed interface CacheLookup {

  /** It may be sent. */
  record Fresh(StoredResponse response) implements CacheLookup {}

  /** It may be sent, and the app has to be asked beside that. */
  record Tolerable(StoredResponse response) implements CacheLookup {}

  /** It may be sent only after the app has confirmed it. */
  record Stale(StoredResponse response) implements CacheLookup {}

  record Miss(CacheStatus.Forward why) implements CacheLookup {}

  Miss NOTHING = new Miss(CacheStatus.Forward.URI_MISS);
  Miss NO_VARIANT = new Miss(CacheStatus.Forward.VARY_MISS);
}
