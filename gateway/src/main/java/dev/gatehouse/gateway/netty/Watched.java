package dev.gatehouse.gateway.netty;

/** A connection whose deadlines its loop looks after. */
interface Watched {

  /** Called a few times a second. @param now as of {@link System#nanoTime()} */
  void check(long now);

  /** The server stops: finish what runs, begin nothing new. */
  void drain();
}
