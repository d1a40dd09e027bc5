package dev.gatehouse.gateway.upstream;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Idle connections to one server, the youngest first: those at the far end grow old and are closed. Belongs to one
 * event loop.
 *
 * @param <C> a connection
 */
public final class IdlePool<C> {

  private final ArrayDeque<C> idle = new ArrayDeque<>();

  /** False where {@code most} are kept: the caller closes it. */
  public boolean offer(C connection, int most) {
    if (idle.size() >= most) {
      return false;
    }
    idle.push(connection);
    return true;
  }

  /** The youngest; where that one is not usable, none is: the others are older still. */
  public @Nullable C youngest() {
    return idle.peek();
  }

  /** Takes the youngest out. */
  public void pop() {
    idle.pop();
  }

  /** Takes one out, since it was closed while it was idle. */
  public void remove(C connection) {
    idle.remove(connection);
  }

  public int size() {
    return idle.size();
  }

  /** Takes all out. */
  public java.util.List<C> clear() {
    java.util.List<C> all = java.util.List.copyOf(idle);
    idle.clear();
    return all;
  }
}
