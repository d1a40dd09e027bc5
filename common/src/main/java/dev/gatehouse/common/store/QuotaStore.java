package dev.gatehouse.common.store;

import dev.gatehouse.common.throttle.FairQuota;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Values within limits that this node counts in its memory. A restart forgets the counts, and the values expire. */
final class QuotaStore<V> implements LimitedStore<V> {

  private final SingleUseStore<V> store;
  private final FairQuota quota;

  QuotaStore(SingleUseStore<V> store, FairQuota.Limits limits, InstantSource time) {
    this.store = store;
    this.quota = new FairQuota(limits, time);
  }

  @Override
  public Optional<Duration> putWithin(String key, FairQuota.Claim claim, V value, Instant expiresAt) {
    return switch (quota.enter(key, claim, expiresAt)) {
      case FairQuota.Admission.Full(List<String> leaving, Duration retryAfter) -> {
        leaving.forEach(store::discard);
        yield Optional.of(retryAfter);
      }
      case FairQuota.Admission.Admitted(List<String> leaving) -> {
        leaving.forEach(store::discard);
        if (!store.replace(key, value, expiresAt)) {
          quota.leave(key);
          throw new IllegalStateException("The key was taken");
        }
        yield Optional.empty();
      }
    };
  }

  @Override
  public void put(String key, V value, Instant expiresAt) {
    store.put(key, value, expiresAt);
  }

  @Override
  public boolean replace(String key, V value, Instant expiresAt) {
    return store.replace(key, value, expiresAt);
  }

  @Override
  public void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt) {
    store.updateLater(key, change, expiresAt);
  }

  @Override
  public TakeResult<V> take(String key) {
    TakeResult<V> result = store.take(key);
    quota.leave(key);
    return result;
  }

  @Override
  public Optional<V> peek(String key) {
    return store.peek(key);
  }

  @Override
  public void discard(String key) {
    store.discard(key);
    quota.leave(key);
  }
}
