package dev.gatehouse.gateway.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All stored responses of this node, limited by their weight in bytes. A dropped response never returns: a response
 * that was requested before a purge is not stored after it.
 */
public final class ResponseCache {

  private static final int STRIPES = 4096;
  private static final long PASS_SECONDS = 10;

  private record PassKey(CacheKey key, CacheScope scope, RoleKey roles, boolean peculiar) {}

  private final long memory;
  private final BodyMemory bodies;
  private final UnreadBodies unread;
  private final Cache<CacheKey, CachedPage> pages;
  private final Cache<PassKey, Long> passes = Caffeine.newBuilder().maximumSize(10_000).executor(Runnable::run).build();
  private final RequestCoalescing coalescing = new RequestCoalescing();
  private final AtomicLong purges = new AtomicLong();
  private final AtomicLongArray generations = new AtomicLongArray(STRIPES);
  private final AtomicLong filling = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder stored = new LongAdder();
  private final LongAdder evicted = new LongAdder();

  /**
   * @param memory bytes that responses may use, including their overhead
   * @param outside bytes of direct memory that their bodies may use, including evicted bodies that are not yet
   *     collected; bodies that clients have not taken yet use no more than as much
   */
  public ResponseCache(long memory, long outside) {
    this.memory = memory;
    this.bodies = new BodyMemory(outside);
    this.unread = new UnreadBodies(outside, this::isStored);
    this.pages =
        Caffeine.newBuilder()
            .maximumWeight(memory)
            .<CacheKey, CachedPage>weigher((key, page) -> page.weight())
            // On the calling event loop: a separate executor would wake another thread every few requests.
            .executor(Runnable::run)
            .evictionListener((key, page, cause) -> countEvicted(page, cause))
            .build();
  }

  private void countEvicted(@Nullable CachedPage page, RemovalCause cause) {
    if (page != null && cause.wasEvicted()) {
      evicted.add(page.count());
    }
  }

  /** Finds the stored response for a request at a time, in seconds since the epoch. */
  public CacheLookup find(CacheScope scope, RoleKey roles, CacheKey key, CacheRequest request, long now) {
    CachedPage page = pages.getIfPresent(key);
    if (page == null) {
      misses.increment();
      return CacheLookup.NOTHING;
    }
    StoredResponse found = page.find(scope, roles, request.fields());
    if (found == null || !found.isShared() && request.hasAuthorization()) {
      misses.increment();
      return CacheLookup.NO_VARIANT;
    }
    Freshness freshness = found.freshness();
    if (freshness.isFresh(now)) {
      hits.increment();
      return new CacheLookup.Fresh(found);
    }
    if (freshness.mayServeWhileAsking(now)) {
      hits.increment();
      return new CacheLookup.Tolerable(found);
    }
    misses.increment();
    return new CacheLookup.Stale(found);
  }

  /** Returns whether responses to such requests were found not to be storable a moment ago. */
  public boolean passes(CacheScope scope, RoleKey roles, CacheKey key, boolean peculiar, long now) {
    Long until = passes.getIfPresent(new PassKey(key, scope, roles, peculiar));
    return until != null && now < until;
  }

  /**
   * Records that responses to such requests are not storable, so that requests do not wait for each other for a moment.
   */
  public void pass(CacheScope scope, RoleKey roles, CacheKey key, boolean peculiar, long now) {
    passes.put(new PassKey(key, scope, roles, peculiar), now + PASS_SECONDS);
  }

  /** Begins a fill, before the request for that address is sent to the app. */
  public CacheFill begin(CacheKey key) {
    return new CacheFill(this, key, purges.get(), generations.get(stripe(key)));
  }

  boolean isCurrent(CacheFill fill) {
    return purges.get() == fill.purges() && generations.get(stripe(fill.key())) == fill.generation();
  }

  /** Stores a response; returns the reason if it was purged before it arrived. */
  Optional<NotStored> keep(CacheFill fill, StoredResponse response) {
    pages
        .asMap()
        .compute(
            fill.key(),
            (key, page) ->
                !isCurrent(fill) ? page : page == null ? CachedPage.of(key, response) : page.with(key, response));
    if (!isCurrent(fill)) {
      drop(fill.key(), stored -> stored == response);
      return Optional.of(NotStored.PURGED);
    }
    stored.increment();
    return Optional.empty();
  }

  /** Adds the gzip coding of a stored response. Blocks while it compresses. */
  public void compress(CacheKey key, StoredResponse response) {
    if (response.gzip() != null) {
      return;
    }
    byte[] compressed = Gzip.compress(response.plain().body());
    if (compressed.length < response.plain().length() * 9L / 10) {
      response.gzip(new CachedBody(unread, key, bodies.of(compressed)));
      pages.asMap().computeIfPresent(key, (k, page) -> page.holds(response) ? page.reweighed(k) : page);
    }
  }

  /** Drops all responses of an address, as required after an unsafe request to it (RFC 9111, section 4.4). */
  public int invalidate(CacheKey key) {
    generations.incrementAndGet(stripe(key));
    return drop(key, stored -> true);
  }

  /** Drops a stale response that the app has replaced. */
  public void withdraw(CacheKey key, StoredResponse outdated) {
    drop(key, stored -> stored == outdated);
  }

  /** Drops the responses of an address in one realm. */
  public int purge(CacheKey key, String realm) {
    generations.incrementAndGet(stripe(key));
    return drop(key, stored -> stored.scope().realm().equals(realm));
  }

  /** Drops the responses with that tag. */
  public int purgeTag(String realm, String tag) {
    return purge(stored -> stored.scope().realm().equals(realm) && stored.tags().contains(tag));
  }

  /** Drops the responses of one route. */
  public int purgeRoute(String realm, String route) {
    return purge(stored -> stored.scope().realm().equals(realm) && stored.scope().route().equals(route));
  }

  public int purgeRealm(String realm) {
    return purge(stored -> stored.scope().realm().equals(realm));
  }

  /** Drops the responses of routes that are no longer configured. */
  public int keepOnly(Set<CacheScope> current) {
    return purge(stored -> !current.contains(stored.scope()));
  }

  private int purge(Predicate<StoredResponse> which) {
    purges.incrementAndGet();
    int dropped = 0;
    for (CacheKey key : pages.asMap().keySet()) {
      dropped += drop(key, which);
    }
    return dropped;
  }

  private int drop(CacheKey key, Predicate<StoredResponse> which) {
    int[] dropped = {0};
    pages
        .asMap()
        .computeIfPresent(
            key,
            (k, page) -> {
              dropped[0] = page.count(which);
              return dropped[0] == 0 ? page : page.without(k, which);
            });
    return dropped[0];
  }

  public RequestCoalescing coalescing() {
    return coalescing;
  }

  CachedBody body(CacheKey key, byte[] content, int length) {
    return new CachedBody(unread, key, bodies.of(content, length));
  }

  private boolean isStored(CachedBody body) {
    CachedPage page = pages.policy().getIfPresentQuietly(body.key());
    return page != null && page.has(body);
  }

  /** The bodies that clients are taking, also those that are no longer stored. */
  public UnreadBodies unread() {
    return unread;
  }

  /** Reserves bytes for bodies that are being received; returns false if too many are. */
  boolean take(long bytes) {
    if (filling.addAndGet(bytes) > memory) {
      filling.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void giveBack(long bytes) {
    filling.addAndGet(-bytes);
  }

  /** The number of a realm's responses, and counters of all realms since the start. */
  public Stats stats(String realm) {
    int[] count = {0};
    pages.asMap().forEach((key, page) -> count[0] += page.count(r -> r.scope().realm().equals(realm)));
    return new Stats(
        count[0], weight(), memory, hits.sum(), misses.sum(), stored.sum(), evicted.sum());
  }

  /** The weight of all responses in bytes, including their overhead. */
  public long weight() {
    return pages.policy().eviction().map(e -> e.weightedSize().orElse(0)).orElse(0L);
  }

  /** @param memory the limit of {@code bytes} */
  public record Stats(int responses, long bytes, long memory, long hits, long misses, long stored, long evicted) {}

  private static int stripe(CacheKey key) {
    int hash = key.hashCode();
    return (hash ^ hash >>> 16) & STRIPES - 1;
  }
}
