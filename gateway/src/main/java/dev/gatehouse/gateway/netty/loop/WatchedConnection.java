package dev.gatehouse.gateway.netty.loop;

/** A connection whose deadlines and buffers its event loop checks. */
public interface WatchedConnection {

  /**
   * Checks the deadlines; called a few times a second.
   *
   * @param now as of {@link System#nanoTime()}
   */
  void check(long now);

  /** Called when the server will stop soon: tells the client to use another connection, where HTTP can say so without a response. */
  default void announceEnd() {}

  /** Called when the server stops: finishes what is active and begins nothing new. */
  void drain();

  /** Bytes of buffers that would be freed if the connection were closed. */
  default long held() {
    return 0;
  }

  /** Limits what may wait in the connection, or lifts the limit. */
  default void tighten(boolean tight) {}

  /** Closes the connection at once because memory is short and it holds more than most. */
  default void evict() {}
}
