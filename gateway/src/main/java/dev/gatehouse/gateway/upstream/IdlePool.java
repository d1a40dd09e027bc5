package dev.gatehouse.gateway.upstream;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Idle connections to one server, the youngest first: the oldest ones expire and are closed. Belongs to one event loop.
 *
 * @param <C> a connection
 */
public final class IdlePool<C> {

  private final ArrayDeque<C> idle = new ArrayDeque<>();

  /** Adds a connection; returns false if {@code most} are stored, and the caller must close it. */
  public boolean offer(C connection, int most) {
    if (idle.size() >= most) {
      return false;
    }
    idle.push(connection);
    return true;
  }

  /** The youngest connection; if it is not usable, none is, because the others are older. */
  public @Nullable C youngest() {
    return idle.peek();
  }

  /** Removes the youngest. */
  public void pop() {
    idle.pop();
  }

  /** Removes a connection that was closed while idle. */
  public void remove(C connection) {
    idle.remove(connection);
  }

  public int size() {
    return idle.size();
  }

  /** Removes and returns all connections. */
  public java.util.List<C> clear() {
    java.util.List<C> all = java.util.List.copyOf(idle);
    idle.clear();
    return all;
  }
}
