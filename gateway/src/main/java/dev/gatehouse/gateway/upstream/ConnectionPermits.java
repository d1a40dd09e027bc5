package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.realm.NodeLimits.Apps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Permits for connections to apps' servers: limited per server and in total. Shared by all event loops. The last
 * quarter is reserved for clients with few active requests, so that one client with many requests does not use up all
 * permits.
 */
public final class ConnectionPermits {

  /** The number of active requests up to which a client's connection has few. */
  public static final int FEW = 8;

  private final Apps bounds;
  private final AtomicInteger taken = new AtomicInteger();

  /** Called when a permit becomes free; one for each waiting pool. */
  private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

  /** The owners of connections that may be idle. */
  private final List<Owner> owners = new CopyOnWriteArrayList<>();

  /** Owns connections, and closes some of them when others need their permits. Called on any thread. */
  public interface Owner {

    /**
     * Closes idle connections.
     *
     * @param many whether the waiting client has many requests
     */
    void closeIdle(AppServer server, boolean many);

    /** Closes up to {@code most} connections whose clients read nothing. */
    void closeStalled(AppServer server, int most);
  }

  public ConnectionPermits(Apps bounds) {
    this.bounds = bounds;
  }

  public Apps bounds() {
    return bounds;
  }

  /**
   * Takes a permit, after which {@link #free} must follow exactly once; returns false if there is none.
   *
   * @param many whether the client has many requests
   */
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

  /** Whether a connection with a permit may serve that client: the last quarter is for clients with few requests. */
  public boolean mayServe(AppServer server, boolean many) {
    return !many
        || (server.connections().get() <= share(bounds.perServer(), true)
            && taken.get() <= share(bounds.connections(), true));
  }

  /** Whether the permit of an idle connection is needed elsewhere. */
  public boolean isWanted(AppServer server) {
    return !waiting.isEmpty()
        && (taken.get() >= share(bounds.connections(), true)
            || (server.waiting().get() > 0 && server.connections().get() >= share(bounds.perServer(), true)));
  }

  /**
   * The number of connections to that server that must be closed before all requests that wait for it have a permit.
   */
  public int lacking(AppServer server, boolean many) {
    return Math.max(
        server.connections().get() + server.waiting().get() - share(bounds.perServer(), many), lackingInAll(server, many));
  }

  /**
   * The number of connections to any servers that must be closed before all requests that wait for that server have a
   * permit.
   */
  public int lackingInAll(AppServer server, boolean many) {
    return taken.get() + server.waiting().get() - share(bounds.connections(), many);
  }

  /**
   * The number of permits that one event loop may have at that server, so that none takes those of the others.
   *
   * @param more event loops that will wait and are not registered yet
   */
  public int fair(AppServer server, boolean many, int more) {
    return Math.min(
        part(share(bounds.perServer(), many), server.awaiting().get() + more),
        part(share(bounds.connections(), many), waiting.size() + more));
  }

  private static int part(int all, int among) {
    return among <= 1 ? all : (all + among - 1) / among;
  }

  /** Whether the total limit of connections is reached. */
  public boolean isFull() {
    return taken.get() >= bounds.connections();
  }

  /** The connections to all servers. */
  public int taken() {
    return taken.get();
  }

  /** Counts one more waiting request for that server unless the queue is full; {@link #left} must follow. */
  public boolean enter(AppServer server, boolean many) {
    return increment(server.waiting(), many ? bounds.queue() / 2 : bounds.queue());
  }

  public void left(AppServer server) {
    server.waiting().decrementAndGet();
  }

  /** Registers a callback that runs on any thread whenever a permit becomes free. */
  public void await(AppServer server, Runnable wake) {
    waiting.add(wake);
    server.awaiting().incrementAndGet();
  }

  public void stopWaiting(AppServer server, Runnable wake) {
    if (waiting.remove(wake)) {
      server.awaiting().decrementAndGet();
    }
  }

  /** Registers an owner of connections. */
  public void addOwner(Owner owner) {
    owners.add(owner);
  }

  public void removeOwners() {
    owners.clear();
  }

  /** Asks all owners to close idle connections. */
  public void makeRoom(AppServer server, boolean many) {
    owners.forEach(owner -> owner.closeIdle(server, many));
  }

  /** Asks all owners to close connections whose clients read nothing. */
  public void endStalled(AppServer server, int most) {
    owners.forEach(owner -> owner.closeStalled(server, most));
  }
}
