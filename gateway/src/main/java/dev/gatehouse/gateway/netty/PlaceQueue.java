package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.upstream.AppPlaces;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.Patience;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one loop that wait for a connection to one server: those of clients that have few first, and each kind in
 * the order of its arrival.
 */
final class PlaceQueue {

  /**
   * One of them.
   *
   * @param many whether its client has many requests under way
   * @param since as of {@link System#nanoTime()}
   */
  record Waiter(UpstreamListener listener, Patience patience, boolean many, long since) {}

  private final AppPlaces places;
  private final AppServer server;
  private final Queue<Waiter> few = new ArrayDeque<>();
  private final Queue<Waiter> many = new ArrayDeque<>();

  PlaceQueue(AppPlaces places, AppServer server) {
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

  /** Takes a place for one that has just come, unless somebody is before it. */
  boolean passes(Waiter fresh) {
    return few.isEmpty() && (!fresh.many() || many.isEmpty()) && places.take(server, fresh.many());
  }

  /** False where enough wait. */
  boolean offer(Waiter waiter) {
    return places.enter(server, waiter.many()) && queue(waiter.many()).add(waiter);
  }

  /** The next one, with a place that was taken for it. */
  @Nullable Waiter served() {
    if (!few.isEmpty()) {
      return places.take(server, false) ? remove(few) : null;
    }
    return !many.isEmpty() && places.take(server, true) ? remove(many) : null;
  }

  /** The next one for a connection that has its place already. */
  @Nullable Waiter first() {
    return few.isEmpty() ? null : remove(few);
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
