package dev.gatehouse.common.store;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;

/** Stores of which a test has only those that it implements. */
public interface UnsupportedStores extends Stores {

  @Override
  default <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    throw new UnsupportedOperationException();
  }

  @Override
  default <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    throw new UnsupportedOperationException();
  }

  @Override
  default <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    throw new UnsupportedOperationException();
  }

  @Override
  default ReplayCache replayCache() {
    throw new UnsupportedOperationException();
  }
}
