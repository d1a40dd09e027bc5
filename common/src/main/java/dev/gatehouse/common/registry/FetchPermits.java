package dev.gatehouse.common.registry;

import dev.gatehouse.common.http.Origin;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Limits parallel fetches: a start with a thousand partners must not open a thousand connections. Each server has a small limit of
 * its own, so that a server that hangs does not delay the metadata of others.
 */
final class FetchPermits {

  private static final int MAX = 128;
  private static final int MAX_OF_ONE = 4;

  private final Semaphore all = new Semaphore(MAX);
  private final Map<Origin, Semaphore> byOrigin = new ConcurrentHashMap<>();

  /** Waits for a permit of that server, then for a general one. */
  <T> T in(URI url, Supplier<T> fetch) throws InterruptedException {
    Semaphore own = byOrigin.computeIfAbsent(Origin.of(url), origin -> new Semaphore(MAX_OF_ONE));
    own.acquire();
    try {
      all.acquire();
      try {
        return fetch.get();
      } finally {
        all.release();
      }
    } finally {
      own.release();
    }
  }
}
