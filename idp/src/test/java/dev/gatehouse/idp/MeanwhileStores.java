package dev.gatehouse.idp;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.idp.session.IdpSessions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Stores with which a test lets something happen between the reading of an IdpSession and its change. */
final class MeanwhileStores implements Stores {

  private static final Runnable NOTHING = () -> {};

  private final Stores stores;
  private Runnable meanwhile = NOTHING;

  MeanwhileStores(Stores stores) {
    this.stores = stores;
  }

  /** Runs it once, just before the next change of an IdpSession reaches the store. */
  void beforeNextChange(Runnable what) {
    meanwhile = what;
  }

  private void changing() {
    Runnable now = meanwhile;
    meanwhile = NOTHING;
    now.run();
  }

  @Override
  public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    SessionStore<S> store = stores.sessions(name, codec, expired);
    return name.equals(IdpSessions.STORE) ? interrupted(store) : store;
  }

  @Override
  public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    return stores.singleUse(name, codec);
  }

  @Override
  public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    return stores.due(name, codec);
  }

  @Override
  public ReplayCache replayCache() {
    return stores.replayCache();
  }

  @SuppressWarnings("unchecked")
  private <S extends Session> SessionStore<S> interrupted(SessionStore<S> store) {
    return (SessionStore<S>)
        Proxy.newProxyInstance(
            SessionStore.class.getClassLoader(),
            new Class<?>[] {SessionStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("update")) {
                changing();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
