package dev.gatehouse.common.http;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A fixed number of permits for each key. Callers that find none wait in order. A key that nobody uses takes no memory. */
final class FairPermits<K> {

  private record Share(Semaphore permits, int users) {}

  private final int permitsPerKey;
  private final ConcurrentHashMap<K, Share> shares = new ConcurrentHashMap<>();

  FairPermits(int permitsPerKey) {
    this.permitsPerKey = permitsPerKey;
  }

  /** Takes a permit, to be returned by {@link #release}; returns false if none became free in time. */
  boolean acquire(K key, long millis) throws InterruptedException {
    Semaphore permits = shares.compute(key, (name, share) -> joined(share)).permits();
    boolean taken = false;
    try {
      taken = permits.tryAcquire(Math.max(0, millis), TimeUnit.MILLISECONDS);
      return taken;
    } finally {
      if (!taken) {
        leave(key);
      }
    }
  }

  private Share joined(@Nullable Share share) {
    return share == null ? new Share(new Semaphore(permitsPerKey, true), 1) : new Share(share.permits(), share.users() + 1);
  }

  void release(K key) {
    shares.computeIfPresent(
        key,
        (name, share) -> {
          share.permits().release();
          return left(share);
        });
  }

  private void leave(K key) {
    shares.computeIfPresent(key, (name, share) -> left(share));
  }

  private static @Nullable Share left(Share share) {
    return share.users() > 1 ? new Share(share.permits(), share.users() - 1) : null;
  }

  /** Returns the number of keys in use. */
  int size() {
    return shares.size();
  }
}
