package dev.gatehouse.gateway.netty;

/** A connection whose deadlines and buffers its loop looks after. */
interface WatchedConnection {

  /** Called a few times a second. @param now as of {@link System#nanoTime()} */
  void check(long now);

  /** The server stops: finish what runs, begin nothing new. */
  void drain();

  /** Bytes of buffers that would be free if it were closed. */
  default long held() {
    return 0;
  }

  /** From now on only little may wait in it, or as much as usual. */
  default void tighten(boolean tight) {}

  /** Memory is short and few hold more: it is closed at once. */
  default void evict() {}
}
