package dev.gatehouse.common.store;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.throttle.FailureCounters;
import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.common.throttle.MemoryQuotaAccount;
import dev.gatehouse.common.throttle.PermitCounters;
import dev.gatehouse.common.throttle.QuotaAccount;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/** Creates the stores of the node's configured storage. Each name is one key space and may be requested once. */
public interface Stores {
  /** Creates a store of sessions that are forgotten when they expire. */
  default <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec) {
    return sessions(name, codec, Expired.FORGOTTEN);
  }

  <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired);

  /** Creates a store of sessions if several nodes share it; empty where the memory of the one node is enough. */
  default <S extends Session> Optional<SessionStore<S>> sessionsIfShared(String name, ValueCodec<S> codec) {
    return Optional.empty();
  }

  <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec);

  /** Creates a store of what clients send who are not authenticated; its limits count for every node that uses these stores. */
  default <V> LimitedStore<V> limited(String name, ValueCodec<V> codec, FairQuota.Limits limits, InstantSource time) {
    return new QuotaStore<>(singleUse(name, codec), limits, time);
  }

  /** Creates such a store if several nodes share it; empty where the memory of the one node is enough, and nothing is to be written. */
  default <V> Optional<LimitedStore<V>> limitedIfShared(String name, ValueCodec<V> codec, FairQuota.Limits limits) {
    return Optional.empty();
  }

  /** Creates an account of what is stored for known holders; its limits count for every node that uses these stores. */
  default QuotaAccount account(String name, QuotaAccount.Limits limits, InstantSource time) {
    return new MemoryQuotaAccount(limits, time);
  }

  /** Creates a store of values for one use if several nodes share it; empty where the memory of the one node is enough. */
  default <V> Optional<SingleUseStore<V>> singleUseIfShared(String name, ValueCodec<V> codec) {
    return Optional.empty();
  }

  <V> DueStore<V> due(String name, ValueCodec<V> codec);

  /** Creates a journal of this node, which survives kill -9; empty where stores are in memory or shared. */
  default <V> Optional<ValueJournal<V>> journal(String name, ValueCodec<V> codec) {
    return Optional.empty();
  }

  /** Opens an empty store of copies on this node's disk; empty where stores are in memory or shared, or the disk does not take it. */
  default Optional<CopyStore> copies(String name) {
    return Optional.empty();
  }

  ReplayCache replayCache();

  /** Creates counters of permits for a throttle, which count for every node that uses these stores: for this process, unless they are shared. */
  default PermitCounters permits(String name) {
    return new FailureCounters();
  }

  /**
   * Returns the time before which issued tokens are invalid because their revocations were lost; the epoch if none were lost.
   */
  default Instant tokensNotBefore() {
    return Instant.EPOCH;
  }

  /**
   * Returns these stores for ending and revoking: they accept writes even while space is low and new data are refused, except {@link
   * LimitedStore#putWithin}.
   */
  default Stores ends() {
    return this;
  }

  /** Returns the number of records that stay and are not used here, because another version wrote them; by the names of the stores. */
  default SortedMap<String, Integer> unread() {
    return Collections.emptySortedMap();
  }

  /** Returns why nothing can be stored; empty if writes are possible, as far as that is known. */
  default Optional<String> problem() {
    return Optional.empty();
  }

  /**
   * Returns whether {@link #problem} is that a store which several nodes use cannot be reached. One that answers and refuses, or has other
   * data than these nodes know, is not out of reach.
   */
  default boolean isOutOfReach() {
    return false;
  }
}
