package dev.gatehouse.common.valkey;

import dev.gatehouse.common.valkey.SessionSeal.Raw;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** The near caches of a node, which the server tells what changed. */
final class NearCaches implements LinkListener {

  /** The reading of an unbroken connection: entries of earlier ones are read again before they count. */
  record Epoch(long number, long endedNanos) {}

  private final Map<String, NearCache<?>> caches = new ConcurrentHashMap<>();
  private final AtomicLong servedStale = new AtomicLong();
  private volatile Epoch epoch = new Epoch(1, 0);
  private volatile Optional<ValkeyLink> link = Optional.empty();

  /** Connects the caches with the link, which needs them as its listener first. */
  void connect(ValkeyLink opened) {
    link = Optional.of(opened);
  }

  ValkeyLink link() {
    return link.orElseThrow();
  }

  /** @param isOver tells of a session that is over unless another node has prolonged it */
  <S> NearCache<S> create(
      SessionNames names, BiFunction<String, Raw, Optional<Stored<S>>> open, Predicate<S> isOver) {
    NearCache<S> cache = new NearCache<>(this, names, open, isOver);
    caches.put(names.prefix(), cache);
    return cache;
  }

  Epoch epoch() {
    return epoch;
  }

  /** Returns how many times a session was served that no server could confirm. */
  long servedStale() {
    return servedStale.get();
  }

  void countStale() {
    servedStale.incrementAndGet();
  }

  @Override
  public void changed(byte[] key) {
    String text = SessionNames.text(key);
    int member = text.lastIndexOf(':') + 1;
    Optional.ofNullable(caches.get(text.substring(0, member))).ifPresent(cache -> cache.forget(text.substring(member)));
  }

  @Override
  public synchronized void unverified() {
    epoch = new Epoch(epoch.number() + 1, System.nanoTime());
  }
}
