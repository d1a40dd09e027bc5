package dev.gatehouse.common.space;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.CopyStore;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.LimitedStore;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.store.ValueJournal;
import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.common.throttle.PermitCounters;
import dev.gatehouse.common.throttle.QuotaAccount;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Stores that accept nothing new while space is low: {@link SessionStore#create} and {@link SingleUseStore#put} throw {@link
 * StoreUnavailable}. Calls that change, consume or end something continue, and so do all stores of {@link #ends}, with one exception:
 * what clients send who are not authenticated ends nothing, so {@link LimitedStore#putWithin} is refused there, too.
 */
public final class GuardedStores implements Stores, AutoCloseable {

  private final Stores stores;
  private final BooleanSupplier low;
  private final BooleanSupplier lowForStrangers;

  public GuardedStores(Stores stores, BooleanSupplier low) {
    this(stores, low, low);
  }

  /** @param lowForStrangers whether clients that are not authenticated are refused */
  private GuardedStores(Stores stores, BooleanSupplier low, BooleanSupplier lowForStrangers) {
    this.stores = stores;
    this.low = low;
    this.lowForStrangers = lowForStrangers;
  }

  @Override
  public Stores ends() {
    return new GuardedStores(stores, () -> false, lowForStrangers);
  }

  @Override
  public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    return new Sessions<>(stores.sessions(name, codec, expired), low);
  }

  @Override
  public <S extends Session> Optional<SessionStore<S>> sessionsIfShared(String name, ValueCodec<S> codec) {
    return stores.sessionsIfShared(name, codec).map(store -> new Sessions<>(store, low));
  }

  @Override
  public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    return new SingleUse<>(stores.singleUse(name, codec), low);
  }

  @Override
  public <V> LimitedStore<V> limited(String name, ValueCodec<V> codec, FairQuota.Limits limits, InstantSource time) {
    return new Limited<>(stores.limited(name, codec, limits, time), low, lowForStrangers);
  }

  @Override
  public <V> Optional<LimitedStore<V>> limitedIfShared(String name, ValueCodec<V> codec, FairQuota.Limits limits) {
    return stores.limitedIfShared(name, codec, limits).map(store -> new Limited<>(store, low, lowForStrangers));
  }

  @Override
  public QuotaAccount account(String name, QuotaAccount.Limits limits, InstantSource time) {
    return stores.account(name, limits, time);
  }

  /** Unguarded: what is stored elsewhere needs no space of this node. */
  @Override
  public <V> Optional<SingleUseStore<V>> singleUseIfShared(String name, ValueCodec<V> codec) {
    return stores.singleUseIfShared(name, codec);
  }

  /** Unguarded: due work follows from an end, for example notices of a logout to partners. */
  @Override
  public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    return stores.due(name, codec);
  }

  /** Unguarded: what waits in a journal has happened. */
  @Override
  public <V> Optional<ValueJournal<V>> journal(String name, ValueCodec<V> codec) {
    return stores.journal(name, codec);
  }

  @Override
  public Optional<CopyStore> copies(String name) {
    return stores.copies(name).map(store -> new Copies(store, low));
  }

  /** Unguarded: replay marks protect, so they are written as long as possible. */
  @Override
  public ReplayCache replayCache() {
    return stores.replayCache();
  }

  /** Unguarded: counts of wrong tries protect. */
  @Override
  public PermitCounters permits(String name) {
    return stores.permits(name);
  }

  @Override
  public SortedMap<String, Integer> unread() {
    return stores.unread();
  }

  @Override
  public boolean isOutOfReach() {
    return stores.isOutOfReach();
  }

  @Override
  public Optional<String> problem() {
    return stores.problem();
  }

  @Override
  public void close() throws Exception {
    if (stores instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  private static void admit(BooleanSupplier low) {
    if (low.getAsBoolean()) {
      throw StoreUnavailable.lowOnSpace();
    }
  }

  @Override
  public Instant tokensNotBefore() {
    return stores.tokensNotBefore();
  }

  private record Copies(CopyStore store, BooleanSupplier low) implements CopyStore {
    @Override
    public Optional<byte[]> get(String key) {
      return store.get(key);
    }

    @Override
    public boolean put(String key, byte[] copy) {
      return !low.getAsBoolean() && store.put(key, copy);
    }
  }

  private static class SingleUse<V> implements SingleUseStore<V> {
    private final SingleUseStore<V> store;
    private final BooleanSupplier low;

    SingleUse(SingleUseStore<V> store, BooleanSupplier low) {
      this.store = store;
      this.low = low;
    }

    @Override
    public void put(String key, V value, Instant expiresAt) {
      admit(low);
      store.put(key, value, expiresAt);
    }

    @Override
    public boolean replace(String key, V value, Instant expiresAt) {
      admit(low);
      return store.replace(key, value, expiresAt);
    }

    @Override
    public void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt) {
      admit(low);
      store.updateLater(key, change, expiresAt);
    }

    @Override
    public void discard(String key) {
      store.discard(key);
    }

    @Override
    public TakeResult<V> take(String key) {
      return store.take(key);
    }

    @Override
    public TakeResult<V> take(String key, Predicate<V> fits) {
      return store.take(key, fits);
    }

    @Override
    public Optional<V> peek(String key) {
      return store.peek(key);
    }
  }

  private static final class Limited<V> extends SingleUse<V> implements LimitedStore<V> {
    private final LimitedStore<V> limited;
    private final BooleanSupplier lowForStrangers;

    Limited(LimitedStore<V> limited, BooleanSupplier low, BooleanSupplier lowForStrangers) {
      super(limited, low);
      this.limited = limited;
      this.lowForStrangers = lowForStrangers;
    }

    @Override
    public Optional<Duration> putWithin(String key, FairQuota.Claim claim, V value, Instant expiresAt) {
      admit(lowForStrangers);
      return limited.putWithin(key, claim, value, expiresAt);
    }
  }

  private record Sessions<S extends Session>(SessionStore<S> store, BooleanSupplier low) implements SessionStore<S> {
    @Override
    public void create(S session) {
      admit(low);
      store.create(session);
    }

    @Override
    public Optional<S> peek(SessionId id) {
      return store.peek(id);
    }

    @Override
    public Optional<S> lastKnown(SessionId id) {
      return store.lastKnown(id);
    }

    @Override
    public boolean isShared() {
      return store.isShared();
    }

    @Override
    public Optional<S> find(SessionId id) {
      return store.find(id);
    }

    @Override
    public Optional<S> update(SessionId id, UnaryOperator<S> change) {
      return store.update(id, change);
    }

    @Override
    public Optional<S> end(SessionId id) {
      return store.end(id);
    }

    @Override
    public List<S> byPerson(String realm, PersonId person) {
      return store.byPerson(realm, person);
    }

    @Override
    public List<S> byIndex(String indexKey) {
      return store.byIndex(indexKey);
    }

    @Override
    public List<S> page(String realm, String after, int limit) {
      return store.page(realm, after, limit);
    }

    @Override
    public List<S> expired(int limit) {
      return store.expired(limit);
    }

    @Override
    public Optional<S> endExpired(SessionId id) {
      return store.endExpired(id);
    }

    @Override
    public long count() {
      return store.count();
    }
  }
}
