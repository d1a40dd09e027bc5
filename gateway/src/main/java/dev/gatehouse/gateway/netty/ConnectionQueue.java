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
 * Requests of one loop that wait for a connection to one server: those of clients that have few first, and each kind in
 * the order of its arrival. Where several loops wait for the same server, each of them has its share of the places.
 */
final class ConnectionQueue {

  /**
   * One of them.
   *
   * @param many whether its client has many requests under way
   * @param since as of {@link System#nanoTime()}
   */
  record Waiter(UpstreamListener listener, UpstreamTimeouts patience, boolean many, long since) {}

  private final ConnectionPermits places;
  private final AppServer server;
  private final Queue<Waiter> few = new ArrayDeque<>();
  private final Queue<Waiter> many = new ArrayDeque<>();
  private int taken;

  ConnectionQueue(ConnectionPermits places, AppServer server) {
    this.places = places;
    this.server = server;
  }

  boolean isEmpty() {
    return few.isEmpty() && many.isEmpty();
  }

  /** How many wait of clients that have few. */
  int few() {
    return few.size();
  }

  /** Whether nobody waits whose turn is before that of one that has just come. */
  boolean isFirst(boolean ofMany) {
    return few.isEmpty() && (!ofMany || many.isEmpty());
  }

  /** Takes a place for one that has just come, unless somebody is before it. */
  boolean passes(Waiter fresh) {
    return isFirst(fresh.many()) && take(fresh.many(), isEmpty() ? 1 : 0);
  }

  private boolean take(boolean ofMany, int more) {
    if (taken >= places.fair(server, ofMany, more) || !places.take(server, ofMany)) {
      return false;
    }
    taken++;
    return true;
  }

  /** A connection was closed, or could not be opened. */
  void free() {
    taken--;
    places.free(server);
  }

  /** False where enough wait. */
  boolean offer(Waiter waiter) {
    return places.enter(server, waiter.many()) && queue(waiter.many()).add(waiter);
  }

  /** The next one, with a place that was taken for it. */
  @Nullable Waiter served() {
    if (!few.isEmpty()) {
      return take(false, 0) ? remove(few) : null;
    }
    return !many.isEmpty() && take(true, 0) ? remove(many) : null;
  }

  /** The next one for a connection that has its place already; nothing where that place is due to others. */
  @Nullable Waiter first() {
    if (isEmpty()) {
      return null;
    }
    boolean ofMany = few.isEmpty();
    boolean fair = taken <= places.fair(server, ofMany, 0);
    return fair && places.mayServe(server, ofMany) ? remove(queue(ofMany)) : null;
  }

  /** Those that have waited longer than that many nanoseconds. */
  List<Waiter> expired(long now, long most) {
    List<Waiter> expired = new ArrayList<>();
    for (Queue<Waiter> queue : List.of(few, many)) {
      while (!queue.isEmpty() && now - queue.element().since() > most) {
        expired.add(remove(queue));
      }
    }
    return expired;
  }

  /** Its request was given up. */
  void cancel(UpstreamListener listener) {
    for (Queue<Waiter> queue : List.of(few, many)) {
      if (queue.removeIf(waiter -> waiter.listener() == listener)) {
        places.left(server);
      }
    }
  }

  private Queue<Waiter> queue(boolean ofMany) {
    return ofMany ? many : few;
  }

  private Waiter remove(Queue<Waiter> queue) {
    places.left(server);
    return queue.remove();
  }
}
