package dev.gatehouse.common.store;

import dev.gatehouse.common.session.Session;
import java.time.Instant;
import java.util.function.Consumer;

/** What a move to other stores reads and writes beside the contracts of {@link Stores}; nothing else may use the stores meanwhile. */
public interface HotData {

  /** Receives a replay mark. */
  @FunctionalInterface
  interface MarkConsumer {
    /** @param digest that of {@link ReplayCache.ReplayKey#digest} */
    void accept(byte[] digest, Instant expiresAt);
  }

  /** Reads all replay marks that have not expired. */
  void marks(MarkConsumer to);

  /** Writes a replay mark. */
  void mark(byte[] digest, Instant expiresAt);

  /** Reads all sessions, expired ones as well. Those that this version cannot read count as ended, as everywhere. */
  <S extends Session> void sessions(StoredKind.Sessions<S> kind, Consumer<S> to);

  /** Reads all work. */
  <V> void work(StoredKind.Work<V> kind, Consumer<DueStore.Work<V>> to);

  /** Records that marks before this time are unknown, and refuses tokens that were issued before it. */
  void loseAllBefore(Instant time);
}
