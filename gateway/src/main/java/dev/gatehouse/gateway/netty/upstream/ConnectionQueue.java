package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.ConnectionPermits;
import dev.gatehouse.gateway.upstream.Demand;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one event loop that wait for a connection to one server. Requests of clients with the least {@link Demand}
 * come first; each kind is served in order of arrival. If several event loops wait for the same server, each has its
 * share of the connection permits.
 */
final class ConnectionQueue {

  /**
   * A waiting request.
   *
   * @param demand of its client
   * @param since as of {@link System#nanoTime()}
   */
  record Waiter(UpstreamListener listener, UpstreamTimeouts timeouts, Demand demand, long since) {}

  private final ConnectionPermits permits;
  private final AppServer server;
  private final Map<Demand, Queue<Waiter>> queues = new EnumMap<>(Demand.class);
  private int waiting;
  private int taken;

  ConnectionQueue(ConnectionPermits permits, AppServer server) {
    this.permits = permits;
    this.server = server;
    for (Demand demand : Demand.values()) {
      queues.put(demand, new ArrayDeque<>());
    }
  }

  boolean isEmpty() {
    return waiting == 0;
  }

  /** The number of waiting requests whose clients have few active requests. */
  int few() {
    return waiting - queue(Demand.CONNECTION_HAS_MANY).size();
  }

  /** Returns whether no waiting request precedes one that has just arrived. */
  boolean isFirst(Demand demand) {
    if (waiting == 0) {
      return true;
    }
    Waiter next = next();
    return next == null || next.demand().compareTo(demand) > 0;
  }

  /** The first of those with the least demand. */
  private @Nullable Waiter next() {
    for (Queue<Waiter> queue : queues.values()) {
      Waiter first = queue.peek();
      if (first != null) {
        return first;
      }
    }
    return null;
  }

  /** Takes a permit for a request that has just arrived, unless another request precedes it. */
  boolean passes(Waiter fresh) {
    return isFirst(fresh.demand()) && take(fresh.demand(), isEmpty() ? 1 : 0);
  }

  private boolean take(Demand demand, int more) {
    if (taken >= permits.fair(server, demand, more) || !permits.take(server, demand)) {
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
    if (!permits.enter(server, waiter.demand())) {
      return false;
    }
    waiting++;
    Queue<Waiter> queue = queue(waiter.demand());
    queue.add(waiter);
    if (waiter.demand() == Demand.FEW && queue.size() == 1) {
      permits.awaitFew(server, true);
    }
    return true;
  }

  /** The next request, for which a permit was taken; null if there is none. */
  @Nullable Waiter served() {
    Waiter next = next();
    return next != null && take(next.demand(), 0) ? remove(queue(next.demand())) : null;
  }

  /**
   * The next request for a connection that already holds a permit; null if no request waits or the permit is due to
   * another event loop.
   */
  @Nullable Waiter first() {
    Waiter next = isEmpty() ? null : next();
    if (next == null) {
      return null;
    }
    boolean fair = taken <= permits.fair(server, next.demand(), 0);
    return fair && permits.mayServe(server, next.demand()) ? remove(queue(next.demand())) : null;
  }

  /** Removes and returns the requests that have waited longer than {@code most} nanoseconds. */
  List<Waiter> expired(long now, long most) {
    List<Waiter> expired = new ArrayList<>();
    for (Queue<Waiter> queue : queues.values()) {
      while (!queue.isEmpty() && now - queue.element().since() > most) {
        expired.add(remove(queue));
      }
    }
    return expired;
  }

  /** Removes a request that was cancelled. */
  void cancel(UpstreamListener listener) {
    for (Queue<Waiter> queue : queues.values()) {
      if (queue.removeIf(waiter -> waiter.listener() == listener)) {
        left(queue);
      }
    }
  }

  private Queue<Waiter> queue(Demand demand) {
    return Objects.requireNonNull(queues.get(demand));
  }

  private Waiter remove(Queue<Waiter> queue) {
    Waiter removed = queue.remove();
    left(queue);
    return removed;
  }

  /** One request has left that queue. */
  private void left(Queue<Waiter> queue) {
    permits.left(server);
    waiting--;
    if (queue.isEmpty() && queue == queues.get(Demand.FEW)) {
      permits.awaitFew(server, false);
    }
  }
}
