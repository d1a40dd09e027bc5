package dev.gatehouse.idp;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.store.ValueCodec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stores that record the writes to them, and the searches of sessions by an index. */
final class CountingStores implements Stores {

  private static final Set<String> WRITES =
      Set.of("create", "update", "updateLater", "end", "endExpired", "put", "take", "add", "replace", "remove", "firstSeen");

  /** Store and method of each write, in order. */
  final List<String> writes = new CopyOnWriteArrayList<>();

  /** The store of each search. */
  final List<String> searches = new CopyOnWriteArrayList<>();

  private final Stores stores;
  private final ReplayCache replay;

  CountingStores(Stores stores) {
    this.stores = stores;
    this.replay = counted(ReplayCache.class, "replay", stores.replayCache());
  }

  /** The writes that a caller waited for. */
  List<String> awaited() {
    return writes.stream().filter(write -> !write.endsWith(" updateLater")).toList();
  }

  @Override
  @SuppressWarnings("unchecked")
  public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    return counted(SessionStore.class, name, stores.sessions(name, codec, expired));
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    return counted(SingleUseStore.class, name, stores.singleUse(name, codec));
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    return counted(DueStore.class, name, stores.due(name, codec));
  }

  @Override
  public ReplayCache replayCache() {
    return replay;
  }

  private <T> T counted(Class<T> type, String name, T store) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object outcome = method.invoke(store, arguments);
                if (method.getName().equals("byIndex")) {
                  searches.add(name);
                }
                if (WRITES.contains(method.getName())
                    && !(outcome instanceof TakeResult.Absent<?>)
                    && !(outcome instanceof TakeResult.Replayed<?>)
                    && !Boolean.FALSE.equals(outcome)) {
                  writes.add(name + " " + method.getName());
                }
                return outcome;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
