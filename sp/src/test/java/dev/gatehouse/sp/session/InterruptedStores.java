package dev.gatehouse.sp.session;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Stores in which something else happens between the storing of a session and the return to its creator. */
record InterruptedStores(Stores stores, Consumer<SessionId> afterCreate) implements Stores {

  @Override
  public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    SessionStore<S> store = stores.sessions(name, codec, expired);
    return new SessionStore<>() {
      @Override
      public void create(S session) {
        store.create(session);
        afterCreate.accept(session.id());
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
      public List<S> page(String realm, String after, int most) {
        return store.page(realm, after, most);
      }

      @Override
      public List<S> expired(int most) {
        return store.expired(most);
      }

      @Override
      public Optional<S> endExpired(SessionId id) {
        return store.endExpired(id);
      }

      @Override
      public long count() {
        return store.count();
      }
    };
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
}
