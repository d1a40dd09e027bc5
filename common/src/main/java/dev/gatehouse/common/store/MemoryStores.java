package dev.gatehouse.common.store;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionCodec;
import dev.gatehouse.common.session.SessionStore;
import java.time.InstantSource;

/** The stores of {@code storage: volatile}: everything is lost with the process. Bounded. */
public final class MemoryStores implements Stores {

  /** Largest number of entries of one store: some hundred megabytes of sessions if a flood fills it. */
  private static final int CAPACITY = 1_000_000;

  private final InstantSource time;
  private final KeySpaces keySpaces = new KeySpaces();
  private final ReplayCache replayCache;

  public MemoryStores(InstantSource time) {
    this.time = time;
    this.replayCache = new MemoryReplayCache(time, CAPACITY);
  }

  @Override
  public <S extends Session> SessionStore<S> sessions(String name, SessionCodec<S> codec, Expired expired) {
    keySpaces.claim(name);
    return new MemorySessionStore<>(time, CAPACITY, codec, expired);
  }

  @Override
  public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    return new MemorySingleUseStore<>(time, CAPACITY);
  }

  @Override
  public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    return new MemoryDueStore<>(time, CAPACITY);
  }

  @Override
  public ReplayCache replayCache() {
    return replayCache;
  }
}
