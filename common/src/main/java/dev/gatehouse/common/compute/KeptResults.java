package dev.gatehouse.common.compute;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Results that many ask for and whose computation takes long. A result is kept {@value #TIMES} times as long as its computation took, one
 * minute at most: what is computed at once is as good as new for each, and what takes long takes a twentieth of a processor for each key,
 * however many ask. Of a key there is one computation at a time, for which all others wait. A failure is told to those who wait for it,
 * and not kept.
 *
 * <p>What a result is about may have changed since: whoever shows it says as of when it is.
 *
 * @param <K> says what is computed
 */
public final class KeptResults<K, V> {

  private static final int TIMES = 20;
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** Computations that wait or run: further keys are refused, because their turn would come too late. */
  private static final int MOST_COMING = 32;

  private record Kept<V>(V value, Instant begun, Instant until) {
    boolean counts(Instant now) {
      // A clock that was set back makes none last.
      return !now.isBefore(begun) && now.isBefore(until);
    }
  }

  private final Executor threads;
  private final Duration patience;
  private final InstantSource clock;
  private final Cache<K, Kept<V>> results;
  private final Map<K, CompletableFuture<Kept<V>>> coming = new HashMap<>();

  /**
   * @param threads compute
   * @param most results that are kept
   * @param patience how long a caller waits; the computation goes on, for those who ask later
   */
  public KeptResults(Executor threads, int most, Duration patience, InstantSource clock) {
    this.threads = threads;
    this.patience = patience;
    this.clock = clock;
    this.results = Caffeine.newBuilder().maximumSize(most).expireAfterWrite(LONGEST).executor(Runnable::run).build();
  }

  /**
   * Returns what the computation returned, now or lately. Failures of the computation are thrown as they are.
   *
   * @throws Busy if it is not there in time
   */
  public V get(K key, Supplier<V> computation) {
    Optional<V> kept = kept(key);
    return kept.isPresent() ? kept.get() : await(comingOf(key, computation), patience).value();
  }

  /** Returns the result if it is kept. */
  private Optional<V> kept(K key) {
    return Optional.ofNullable(results.getIfPresent(key)).filter(kept -> kept.counts(clock.instant())).map(Kept::value);
  }

  private synchronized CompletableFuture<Kept<V>> comingOf(K key, Supplier<V> computation) {
    @Nullable CompletableFuture<Kept<V>> begun = coming.get(key);
    if (begun != null) {
      return begun;
    }
    @Nullable Kept<V> kept = results.getIfPresent(key);
    if (kept != null && kept.counts(clock.instant())) {
      // It came just now.
      return CompletableFuture.completedFuture(kept);
    }
    if (coming.size() >= MOST_COMING) {
      throw new Busy();
    }
    CompletableFuture<Kept<V>> result = new CompletableFuture<>();
    // Before it begins: threads that compute at once end it within this call.
    coming.put(key, result);
    try {
      threads.execute(() -> compute(key, computation, result));
    } catch (RejectedExecutionException e) {
      coming.remove(key);
      throw e;
    }
    return result;
  }

  private void compute(K key, Supplier<V> computation, CompletableFuture<Kept<V>> result) {
    Instant begun = clock.instant();
    try {
      V value = computation.get();
      Instant now = clock.instant();
      Kept<V> kept = new Kept<>(value, begun, now.plus(lasting(Duration.between(begun, now))));
      end(key, Optional.of(kept));
      result.complete(kept);
    } catch (RuntimeException | Error failure) {
      end(key, Optional.empty());
      result.completeExceptionally(failure);
    }
  }

  private static Duration lasting(Duration took) {
    if (took.isNegative()) {
      return Duration.ZERO;
    }
    return took.compareTo(LONGEST.dividedBy(TIMES)) > 0 ? LONGEST : took.multipliedBy(TIMES);
  }

  private synchronized void end(K key, Optional<Kept<V>> kept) {
    kept.ifPresent(result -> results.put(key, result));
    coming.remove(key);
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
