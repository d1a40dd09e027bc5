package dev.gatehouse.common.registry;

import dev.gatehouse.common.http.Origin;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Fetches at the same time: a start with a thousand partners must not open a thousand connections. A server that hangs has few
 * places of its own, so that it does not hold up the metadata of others.
 */
final class FetchPermits {

  private static final int MOST = 128;
  private static final int MOST_OF_ONE = 4;

  private final Semaphore all = new Semaphore(MOST);
  private final Map<Origin, Semaphore> byOrigin = new ConcurrentHashMap<>();

  /** Waits for a place at that server, then for one of all. */
  <T> T in(URI url, Supplier<T> fetch) throws InterruptedException {
    Semaphore own = byOrigin.computeIfAbsent(Origin.of(url), origin -> new Semaphore(MOST_OF_ONE));
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
