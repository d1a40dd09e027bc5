package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.realm.NodeLimits.Apps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Places for connections to apps' servers: so many to each, and so many to all. Shared by all event loops. The last quarter
 * is for clients that have only a few, so that one that asks for much at once does not take the places of all others.
 */
public final class AppPlaces {

  /** Requests that a client's connection may have under way before it has many. */
  public static final int FEW = 8;

  private final Apps bounds;
  private final AtomicInteger taken = new AtomicInteger();

  /** Those who wait for a place, each to be woken when one is free. */
  private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

  /** Those who may have connections that nobody uses. */
  private final List<Consumer<AppServer>> keepers = new CopyOnWriteArrayList<>();

  public AppPlaces(Apps bounds) {
    this.bounds = bounds;
  }

  public Apps bounds() {
    return bounds;
  }

  /** Takes a place, {@link #free} follows exactly once; false where there is none. @param many for a client that has many */
  public boolean take(AppServer server, boolean many) {
    if (!increment(taken, share(bounds.connections(), many))) {
      return false;
    }
    if (!increment(server.connections(), share(bounds.perServer(), many))) {
      taken.decrementAndGet();
      return false;
    }
    return true;
  }

  private static int share(int all, boolean many) {
    return many ? all - all / 4 : all;
  }

  private static boolean increment(AtomicInteger count, int most) {
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      return false;
    }
    return true;
  }

  public void free(AppServer server) {
    server.connections().decrementAndGet();
    taken.decrementAndGet();
    if (!waiting.isEmpty()) {
      waiting.forEach(Runnable::run);
    }
  }

  /** Whether one more connection to that server is too many. */
  public boolean isFull(AppServer server) {
    return isFull() || server.connections().get() >= bounds.perServer();
  }

  /** Whether one more connection to any server is too many. */
  public boolean isFull() {
    return taken.get() >= bounds.connections();
  }

  /** Connections to all servers. */
  public int taken() {
    return taken.get();
  }

  /** Requests of all clients that may wait for that server: one more, if there are not enough; {@link #left} follows. */
  public boolean enter(AppServer server, boolean many) {
    return increment(server.waiting(), many ? bounds.queue() / 2 : bounds.queue());
  }

  public void left(AppServer server) {
    server.waiting().decrementAndGet();
  }

  /** Wakes somebody whenever a place is free, on any thread. */
  public void await(Runnable wake) {
    waiting.add(wake);
  }

  /** Whether anybody waits. */
  public boolean isAwaited() {
    return !waiting.isEmpty();
  }

  public void stopWaiting(Runnable wake) {
    waiting.remove(wake);
  }

  /** Calls somebody whenever a place at a server is wanted and none is free, on any thread. */
  public void keeper(Consumer<AppServer> keeper) {
    keepers.add(keeper);
  }

  public void forgetKeepers() {
    keepers.clear();
  }

  /** Asks for a connection that nobody uses to be closed. */
  public void makeRoom(AppServer server) {
    keepers.forEach(keeper -> keeper.accept(server));
  }
}
