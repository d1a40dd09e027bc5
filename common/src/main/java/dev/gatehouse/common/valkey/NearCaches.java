package dev.gatehouse.common.valkey;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.valkey.SessionSeal.Raw;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** The near caches of a node, which the server tells what changed. */
final class NearCaches implements LinkListener {

  /** The longest {@code staleness}: nothing is served for longer. */
  private static final Duration KEPT = Duration.ofMinutes(15);

  private final Map<String, NearCache<?>> caches = new ConcurrentHashMap<>();
  private final NearEntries entries = new NearEntries(NearEntries.room(Runtime.getRuntime().maxMemory()));
  private final AtomicLong servedStale = new AtomicLong();

  /** The number of the unbroken connection: entries of earlier ones are read again before they count. */
  private volatile long epoch = 1;

  /** When earlier ones ended, by {@link System#nanoTime}. */
  private final ConcurrentNavigableMap<Long, Long> ended = new ConcurrentSkipListMap<>();

  private volatile Optional<ValkeyLink> link = Optional.empty();

  /** Connects the caches with the link, which needs them as its listener first. */
  void connect(ValkeyLink opened) {
    link = Optional.of(opened);
  }

  ValkeyLink link() {
    return link.orElseThrow();
  }

  /** @param isOver tells of a session that is over unless another node has prolonged it */
  <S extends Session> NearCache<S> create(
      SessionNames names, BiFunction<String, Raw, Optional<Stored<S>>> open, Predicate<S> isOver) {
    NearCache<S> cache = new NearCache<>(this, names, open, isOver);
    caches.put(names.prefix(), cache);
    return cache;
  }

  /** What all of them keep. */
  NearEntries entries() {
    return entries;
  }

  long epoch() {
    return epoch;
  }

  /** Returns when an earlier connection ended, by {@link System#nanoTime}; empty if that is longer ago than anything is served. */
  Optional<Long> ended(long number) {
    return Optional.ofNullable(ended.get(number));
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
    long now = System.nanoTime();
    ended.put(epoch, now);
    while (now - ended.firstEntry().getValue() > KEPT.toNanos()) {
      ended.pollFirstEntry();
    }
    epoch = epoch + 1;
  }
}
