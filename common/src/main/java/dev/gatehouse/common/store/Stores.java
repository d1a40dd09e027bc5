package dev.gatehouse.common.store;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionCodec;
import dev.gatehouse.common.session.SessionStore;
import java.time.Instant;
import java.util.Optional;

/** Makes the stores of the node's configured storage. Each name is one key space and may be asked for once. */
public interface Stores {
  /** Sessions that are forgotten when they expire. */
  default <S extends Session> SessionStore<S> sessions(String name, SessionCodec<S> codec) {
    return sessions(name, codec, Expired.FORGOTTEN);
  }

  <S extends Session> SessionStore<S> sessions(String name, SessionCodec<S> codec, Expired expired);

  <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec);

  <V> DueStore<V> due(String name, ValueCodec<V> codec);

  ReplayCache replayCache();

  /**
   * Tokens that were issued before count no more, because what was known of their revocation was lost. The epoch where
   * nothing was.
   */
  default Instant tokensNotBefore() {
    return Instant.EPOCH;
  }

  /** The same for what ends or revokes something: taken even while space is low and nothing new is. */
  default Stores ends() {
    return this;
  }

  /** Why nothing can be stored; empty where it can, as far as that is known. */
  default Optional<String> problem() {
    return Optional.empty();
  }
}
