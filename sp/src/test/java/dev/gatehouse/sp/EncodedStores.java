package dev.gatehouse.sp;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.store.ValueCodec;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Stores in which single-use values go through their codecs, as they do on disk.
 *
 * @param writes the number of writes
 */
record EncodedStores(Stores stores, AtomicInteger writes) implements Stores {

  @Override
  public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    return stores.sessions(name, codec, expired);
  }

  @Override
  public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    SingleUseStore<V> store = stores.singleUse(name, codec);
    return new SingleUseStore<>() {
      @Override
      public void put(String key, V value, Instant expiresAt) {
        writes.incrementAndGet();
        store.put(key, codec.decode(codec.encode(value)), expiresAt);
      }

      @Override
      public boolean replace(String key, V value, Instant expiresAt) {
        writes.incrementAndGet();
        return store.replace(key, codec.decode(codec.encode(value)), expiresAt);
      }

      @Override
      public void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt) {
        writes.incrementAndGet();
        store.updateLater(key, before -> codec.decode(codec.encode(change.apply(before))), expiresAt);
      }

      @Override
      public TakeResult<V> take(String key) {
        writes.incrementAndGet();
        return store.take(key);
      }

      @Override
      public Optional<V> peek(String key) {
        return store.peek(key);
      }

      @Override
      public void discard(String key) {
        store.discard(key);
      }
    };
  }

  @Override
  public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    return stores.due(name, codec);
  }

  @Override
  public ReplayCache replayCache() {
    ReplayCache marks = stores.replayCache();
    return new ReplayCache() {
      @Override
      public boolean firstSeen(ReplayKey key, Instant expiresAt) {
        writes.incrementAndGet();
        return marks.firstSeen(key, expiresAt);
      }

      @Override
      public boolean isMarked(ReplayKey key) {
        return marks.isMarked(key);
      }

      @Override
      public Instant completeSince() {
        return marks.completeSince();
      }
    };
  }
}
