package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.realm.NodeLimits.Apps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places for connections to apps' servers: so many to each, and so many to all. Shared by all event loops. The last quarter
 * is for clients that have only a few, so that one that asks for much at once does not take the places of all others.
 */
public final class ConnectionPermits {

  /** Requests that a client's connection may have under way before it has many. */
  public static final int FEW = 8;

  private final Apps bounds;
  private final AtomicInteger taken = new AtomicInteger();

  /** Those who wait for a place, each to be woken when one is free. */
  private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

  /** Those who may have connections that nobody uses. */
  private final List<Keeper> keepers = new CopyOnWriteArrayList<>();

  /** Has connections, and closes some of them where others need their places. Called on any thread. */
  public interface Keeper {

    /** Closes connections that nobody uses. @param many whether a client that has many asks */
    void closeIdle(AppServer server, boolean many);

    /** Closes so many connections whose clients take nothing. */
    void closeStalled(AppServer server, int most);
  }

  public ConnectionPermits(Apps bounds) {
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

  /** Whether a connection that has its place may serve that client: the last quarter is for those that have few. */
  public boolean mayServe(AppServer server, boolean many) {
    return !many
        || (server.connections().get() <= share(bounds.perServer(), true)
            && taken.get() <= share(bounds.connections(), true));
  }

  /** Whether the place of a connection that nobody uses is wanted elsewhere. */
  public boolean isWanted(AppServer server) {
    return !waiting.isEmpty()
        && (taken.get() >= share(bounds.connections(), true)
            || (server.waiting().get() > 0 && server.connections().get() >= share(bounds.perServer(), true)));
  }

  /** How many connections to that server must be closed before all that wait for it have a place. */
  public int lacking(AppServer server, boolean many) {
    return Math.max(
        server.connections().get() + server.waiting().get() - share(bounds.perServer(), many), lackingInAll(server, many));
  }

  /** How many connections to any servers must be closed before all that wait for that one have a place. */
  public int lackingInAll(AppServer server, boolean many) {
    return taken.get() + server.waiting().get() - share(bounds.connections(), many);
  }

  /**
   * How many places one of those who wait may have at that server, so that none takes those of the others.
   *
   * @param more who will wait, and are not known here yet
   */
  public int fair(AppServer server, boolean many, int more) {
    return Math.min(
        part(share(bounds.perServer(), many), server.awaiting().get() + more),
        part(share(bounds.connections(), many), waiting.size() + more));
  }

  private static int part(int all, int among) {
    return among <= 1 ? all : (all + among - 1) / among;
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
  public void await(AppServer server, Runnable wake) {
    waiting.add(wake);
    server.awaiting().incrementAndGet();
  }

  public void stopWaiting(AppServer server, Runnable wake) {
    if (waiting.remove(wake)) {
      server.awaiting().decrementAndGet();
    }
  }

  /** Whoever has connections is asked for places of others. */
  public void keeper(Keeper keeper) {
    keepers.add(keeper);
  }

  public void forgetKeepers() {
    keepers.clear();
  }

  /** Asks for connections that nobody uses to be closed. */
  public void makeRoom(AppServer server, boolean many) {
    keepers.forEach(keeper -> keeper.closeIdle(server, many));
  }

  /** Asks for connections to be closed whose clients take nothing. */
  public void endStalled(AppServer server, int most) {
    keepers.forEach(keeper -> keeper.closeStalled(server, most));
  }
}
