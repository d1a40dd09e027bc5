package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.ConnectionPermits;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one event loop that wait for a connection to one server. Requests of clients with few active requests
 * come first; each kind is served in order of arrival. If several event loops wait for the same server, each has its
 * share of the connection permits.
 */
final class ConnectionQueue {

  /**
   * A waiting request.
   *
   * @param many whether its client has many active requests
   * @param since as of {@link System#nanoTime()}
   */
  record Waiter(UpstreamListener listener, UpstreamTimeouts timeouts, boolean many, long since) {}

  private final ConnectionPermits permits;
  private final AppServer server;
  private final Queue<Waiter> few = new ArrayDeque<>();
  private final Queue<Waiter> many = new ArrayDeque<>();
  private int taken;

  ConnectionQueue(ConnectionPermits permits, AppServer server) {
    this.permits = permits;
    this.server = server;
  }

  boolean isEmpty() {
    return few.isEmpty() && many.isEmpty();
  }

  /** The number of waiting requests whose clients have few active requests. */
  int few() {
    return few.size();
  }

  /** Whether no waiting request precedes one that has just arrived. */
  boolean isFirst(boolean ofMany) {
    return few.isEmpty() && (!ofMany || many.isEmpty());
  }

  /** Takes a permit for a request that has just arrived, unless another request precedes it. */
  boolean passes(Waiter fresh) {
    return isFirst(fresh.many()) && take(fresh.many(), isEmpty() ? 1 : 0);
  }

  private boolean take(boolean ofMany, int more) {
    if (taken >= permits.fair(server, ofMany, more) || !permits.take(server, ofMany)) {
      return false;
    }
    taken++;
    return true;
  }

  /** Returns the permit of a connection that was closed or could not be opened. */
  void free() {
    taken--;
    permits.free(server);
  }

  /** Adds a request; returns false if the queue is full. */
  boolean offer(Waiter waiter) {
    return permits.enter(server, waiter.many()) && queue(waiter.many()).add(waiter);
  }

  /** The next request, for which a permit was taken; null if there is none. */
  @Nullable Waiter served() {
    if (!few.isEmpty()) {
      return take(false, 0) ? remove(few) : null;
    }
    return !many.isEmpty() && take(true, 0) ? remove(many) : null;
  }

  /**
   * The next request for a connection that already holds a permit; null if no request waits or the permit is due to
   * another event loop.
   */
  @Nullable Waiter first() {
    if (isEmpty()) {
      return null;
    }
    boolean ofMany = few.isEmpty();
    boolean fair = taken <= permits.fair(server, ofMany, 0);
    return fair && permits.mayServe(server, ofMany) ? remove(queue(ofMany)) : null;
  }

  /** Removes and returns the requests that have waited longer than {@code most} nanoseconds. */
  List<Waiter> expired(long now, long most) {
    List<Waiter> expired = new ArrayList<>();
    for (Queue<Waiter> queue : List.of(few, many)) {
      while (!queue.isEmpty() && now - queue.element().since() > most) {
        expired.add(remove(queue));
      }
    }
    return expired;
  }

  /** Removes a request that was cancelled. */
  void cancel(UpstreamListener listener) {
    for (Queue<Waiter> queue : List.of(few, many)) {
      if (queue.removeIf(waiter -> waiter.listener() == listener)) {
        permits.left(server);
      }
    }
  }

  private Queue<Waiter> queue(boolean ofMany) {
    return ofMany ? many : few;
  }

  private Waiter remove(Queue<Waiter> queue) {
    permits.left(server);
    return queue.remove();
  }
}
