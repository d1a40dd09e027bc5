package dev.gatehouse.gateway.upstream;

import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * Idle connections to one origin, the youngest first: those at the far end grow old and are closed. Belongs to one
 * event loop.
 *
 * @param <C> a connection
 */
public final class IdlePool<C> {

  private final ArrayDeque<C> idle = new ArrayDeque<>();
  private final int most;

  /** @param most connections that are kept */
  public IdlePool(int most) {
    this.most = most;
  }

  /** False where enough are kept: the caller closes it. */
  public boolean offer(C connection) {
    if (idle.size() >= most) {
      return false;
    }
    idle.push(connection);
    return true;
  }

  /** The youngest if it is usable; else none: the others are older still. */
  public java.util.Optional<C> take(Predicate<C> usable) {
    C youngest = idle.peek();
    if (youngest == null || !usable.test(youngest)) {
      return java.util.Optional.empty();
    }
    idle.pop();
    return java.util.Optional.of(youngest);
  }

  /** It was closed while it was idle. */
  public void remove(C connection) {
    idle.remove(connection);
  }

  public int size() {
    return idle.size();
  }
}
