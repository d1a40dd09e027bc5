package dev.gatehouse.common.compute;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Results that many ask for and whose computation takes long. A result is kept {@value #TIMES} times as long as its computation took, one
 * minute at most: what is computed at once is as good as new for each, and what takes up to three seconds takes a twentieth of a processor
 * for each key, however many ask. Of a key there is one computation at a time, for which all others wait. A failure is told to those who
 * wait for it, and not kept.
 *
 * <p>What a result is about may have changed since: whoever shows it says as of when it is.
 *
 * @param <K> says what is computed
 */
public final class KeptResults<K, V> {

  private static final int TIMES = 20;
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** Computations that wait or run: further keys are refused. */
  private static final int MOST_COMING = 32;

  /** Of one group, so that those who ask for many keys leave places to others. */
  private static final int MOST_OF_A_GROUP = 8;

  private record Kept<V>(V value, Instant begun, Instant until) {
    boolean counts(Instant now) {
      // A clock that was set back makes none last.
      return !now.isBefore(begun) && now.isBefore(until);
    }
  }

  /** A computation that waits or runs; the lock of the results guards its fields. */
  private static final class Coming<V> {
    private final CompletableFuture<Kept<V>> result = new CompletableFuture<>();
    private int waiting;
    private boolean hasBegun;
  }

  private final Executor threads;
  private final Duration patience;
  private final InstantSource clock;
  private final Function<K, String> group;
  private final Cache<K, Kept<V>> results;
  private final Map<K, Coming<V>> coming = new HashMap<>();

  /**
   * @param threads compute
   * @param most results that are kept
   * @param patience how long a caller waits; a computation that has begun goes on, for those who ask later
   * @param group whose keys share places, such as a realm
   */
  public KeptResults(Executor threads, int most, Duration patience, InstantSource clock, Function<K, String> group) {
    this.threads = threads;
    this.patience = patience;
    this.clock = clock;
    this.group = group;
    // What is over goes by itself: it may be about people who were erased.
    this.results =
        Caffeine.newBuilder()
            .maximumSize(most)
            .expireAfterWrite(LONGEST)
            .scheduler(Scheduler.systemScheduler())
            .executor(Runnable::run)
            .build();
  }

  /**
   * Returns what the computation returned, now or lately. Failures of the computation are thrown as they are.
   *
   * @throws Busy if it is not there in time
   */
  public V get(K key, Supplier<V> computation) {
    Optional<V> kept = kept(key);
    return kept.isPresent() ? kept.get() : asked(key, computation);
  }

  /** Returns the result if it is kept. */
  private Optional<V> kept(K key) {
    return Optional.ofNullable(results.getIfPresent(key)).filter(kept -> kept.counts(clock.instant())).map(Kept::value);
  }

  private V asked(K key, Supplier<V> computation) {
    Coming<V> one;
    synchronized (this) {
      Optional<V> kept = kept(key);
      if (kept.isPresent()) {
        // It came just now.
        return kept.get();
      }
      one = Optional.ofNullable(coming.get(key)).orElseGet(() -> begun(key, computation));
      one.waiting++;
    }
    try {
      return await(one.result, patience).value();
    } finally {
      left(key, one);
    }
  }

  private Coming<V> begun(K key, Supplier<V> computation) {
    String mine = group.apply(key);
    if (coming.size() >= MOST_COMING || coming.keySet().stream().filter(k -> group.apply(k).equals(mine)).count() >= MOST_OF_A_GROUP) {
      throw new Busy();
    }
    Coming<V> one = new Coming<>();
    // Before it begins: threads that compute at once end it within this call.
    coming.put(key, one);
    try {
      threads.execute(() -> compute(key, computation, one));
    } catch (RuntimeException | Error failure) {
      coming.remove(key, one);
      throw failure;
    }
    return one;
  }

  /** What nobody waits for any more, and has not begun, does not begin. */
  private synchronized void left(K key, Coming<V> one) {
    one.waiting--;
    if (one.waiting == 0 && !one.hasBegun) {
      coming.remove(key, one);
    }
  }

  private synchronized boolean begins(K key, Coming<V> one) {
    one.hasBegun = coming.get(key) == one;
    return one.hasBegun;
  }

  private void compute(K key, Supplier<V> computation, Coming<V> one) {
    if (!begins(key, one)) {
      return;
    }
    Instant begun = clock.instant();
    try {
      V value = computation.get();
      Instant now = clock.instant();
      Kept<V> kept = new Kept<>(value, begun, now.plus(lasting(Duration.between(begun, now))));
      end(key, one, Optional.of(kept));
      one.result.complete(kept);
    } catch (Throwable failure) {
      end(key, one, Optional.empty());
      one.result.completeExceptionally(failure);
    }
  }

  private static Duration lasting(Duration took) {
    if (took.isNegative()) {
      return Duration.ZERO;
    }
    return took.compareTo(LONGEST.dividedBy(TIMES)) > 0 ? LONGEST : took.multipliedBy(TIMES);
  }

  private synchronized void end(K key, Coming<V> one, Optional<Kept<V>> kept) {
    kept.ifPresent(result -> results.put(key, result));
    coming.remove(key, one);
  }

  private static <T> T await(CompletableFuture<T> result, Duration patience) {
    try {
      return result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new Busy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Busy();
    } catch (ExecutionException e) {
      throw Turn.thrown(e.getCause());
    }
  }
}
