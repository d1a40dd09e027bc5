package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.node.NodeLimits.Apps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Permits for connections to apps' servers: a limit for each server and one for all. Shared by all event loops. The more
 * a client has under way, the more permits it leaves to others ({@link Demand}), so that one client does not take the
 * permits of all others.
 */
public final class ConnectionPermits {

  private final Apps bounds;
  private final AtomicInteger taken = new AtomicInteger();

  /** Called when a permit becomes free; one for each waiting pool. */
  private final List<Runnable> waiting = new CopyOnWriteArrayList<>();

  /** Event loops, once for each server, in which clients wait that have few. */
  private final AtomicInteger waitingFew = new AtomicInteger();

  /** The owners of connections that may be idle. */
  private final List<Owner> owners = new CopyOnWriteArrayList<>();

  /** Owns connections, and closes some of them when others need their permits. Called on any thread. */
  public interface Owner {

    /** Closes idle connections. @param demand of the client that needs their permits */
    void closeIdle(AppServer server, Demand demand);

    /** Closes up to {@code most} connections whose clients read nothing. */
    void closeStalled(AppServer server, int most);
  }

  public ConnectionPermits(Apps bounds) {
    this.bounds = bounds;
  }

  public Apps bounds() {
    return bounds;
  }

  /** Takes a permit, unless there is none; {@link #free} must follow exactly once. @param demand of the client */
  public boolean take(AppServer server, Demand demand) {
    if (!increment(taken, demand.share(bounds.connections()))) {
      return false;
    }
    if (!increment(server.connections(), demand.share(bounds.perServer()))) {
      taken.decrementAndGet();
      return false;
    }
    return true;
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

  /** Returns whether a connection with a permit may serve that client: the last permits are for clients with less under way. */
  public boolean mayServe(AppServer server, Demand demand) {
    return demand == Demand.FEW
        || (server.connections().get() <= demand.share(bounds.perServer())
            && taken.get() <= demand.share(bounds.connections()));
  }

  /** Returns whether the permit of an idle connection is needed elsewhere. */
  public boolean isWanted(AppServer server) {
    return !waiting.isEmpty()
        && (taken.get() >= Demand.CONNECTION_HAS_MANY.share(bounds.connections())
            || (server.waiting().get() > 0 && server.connections().get() >= Demand.CONNECTION_HAS_MANY.share(bounds.perServer())));
  }

  /**
   * The number of connections to that server that must be closed before all requests that wait for it have a permit.
   */
  public int lacking(AppServer server, Demand demand) {
    return Math.max(
        server.connections().get() + server.waiting().get() - demand.share(bounds.perServer()), lackingInAll(server, demand));
  }

  /**
   * The number of connections to any servers that must be closed before all requests that wait for that server have a
   * permit.
   */
  public int lackingInAll(AppServer server, Demand demand) {
    return taken.get() + server.waiting().get() - demand.share(bounds.connections());
  }

  /**
   * The number of permits that one event loop may have at that server, so that none takes those of the others. For
   * clients that have few only event loops count in which such clients wait.
   *
   * @param more event loops that will wait and are not registered yet
   */
  public int fair(AppServer server, Demand demand, int more) {
    boolean few = demand == Demand.FEW;
    return Math.min(
        part(demand.share(bounds.perServer()), (few ? server.awaitingFew() : server.awaiting()).get() + more),
        part(demand.share(bounds.connections()), (few ? waitingFew.get() : waiting.size()) + more));
  }

  private static int part(int all, int among) {
    return among <= 1 ? all : (all + among - 1) / among;
  }

  /** Returns whether the total limit of connections is reached. */
  public boolean isFull() {
    return taken.get() >= bounds.connections();
  }

  /** The connections to all servers. */
  public int taken() {
    return taken.get();
  }

  /** Counts one more waiting request for that server unless the queue is full; {@link #left} must follow. */
  public boolean enter(AppServer server, Demand demand) {
    return increment(server.waiting(), queue(demand));
  }

  private int queue(Demand demand) {
    return switch (demand) {
      case FEW -> bounds.queue();
      case ADDRESS_HAS_MANY -> bounds.queue() - bounds.queue() / 4;
      case CONNECTION_HAS_MANY -> bounds.queue() / 2;
    };
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

  /** Counts an event loop in which clients that have few begin or cease to wait for that server. */
  public void awaitFew(AppServer server, boolean begins) {
    int change = begins ? 1 : -1;
    waitingFew.addAndGet(change);
    server.awaitingFew().addAndGet(change);
  }

  /** Registers an owner of connections. */
  public void addOwner(Owner owner) {
    owners.add(owner);
  }

  public void removeOwners() {
    owners.clear();
  }

  /** Asks all owners to close idle connections. */
  public void makeRoom(AppServer server, Demand demand) {
    owners.forEach(owner -> owner.closeIdle(server, demand));
  }

  /** Asks all owners to close connections whose clients read nothing. */
  public void endStalled(AppServer server, int most) {
    owners.forEach(owner -> owner.closeStalled(server, most));
  }
}
