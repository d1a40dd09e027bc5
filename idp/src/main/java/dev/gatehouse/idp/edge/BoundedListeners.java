package dev.gatehouse.idp.edge;

import dev.gatehouse.common.throttle.LogThrottle;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jetty.JettyServerCustomizer;

/**
 * Bounds the connections of all connectors of one Jetty server. When the bound is reached, a new connection is served and
 * the connection that has waited longest for a request ends. If none has waited long enough, a small share of the bound
 * remains for connections whose requests are answered with 503; further connections wait in the queue of the kernel.
 *
 * <p>Jetty's own NetworkConnectionLimit does not see the connectors of Spring Boot's server, because they are set after it
 * was started. It would also end connections by a timeout that every byte of a slow client extends.
 */
public final class BoundedListeners implements JettyServerCustomizer, SelectorManager.AcceptListener, Connection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedListeners.class);

  /** The time that each connection has for TLS and the head of its request, in nanoseconds. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(250);

  private static final long BETWEEN_LOOKS_MILLIS = 250;
  private static final int MAX_ANSWERED = 256;

  private final String name;
  private final int served;
  private final int answered;
  private final LogThrottle full = new LogThrottle();
  private final List<ServerConnector> connectors = new ArrayList<>();
  private final Map<SelectableChannel, Held> held = new HashMap<>();
  private final LinkedHashSet<Held> waiting = new LinkedHashSet<>();
  private final AtomicLong ended = new AtomicLong();
  private Optional<Server> server = Optional.empty();
  private boolean suspended;
  private boolean looking;
  private volatile boolean ending;

  /** One connection; the lock of the listeners guards its fields. */
  private static final class Held {

    private boolean excess;
    private Optional<EndPoint> endPoint = Optional.empty();
    private int requests;
    private long since;

    Held(boolean excess) {
      this.excess = excess;
    }
  }

  /**
   * Creates the bound.
   *
   * @param name for the log
   * @param most the largest number of connections, including those that are only answered with 503
   */
  public BoundedListeners(String name, int most) {
    this.name = name;
    this.answered = Math.clamp(most / 5, 1, MAX_ANSWERED);
    this.served = Math.max(1, most - answered);
  }

  /** Is called when the server has its connectors and its handler. */
  @Override
  public void customize(Server jetty) {
    synchronized (this) {
      server = Optional.of(jetty);
      connectors.clear();
      for (Connector connector : jetty.getConnectors()) {
        connectors.add(BoundedConnector.like((ServerConnector) connector));
      }
      connectors.forEach(connector -> connector.addBean(this, false));
      jetty.setConnectors(connectors.toArray(Connector[]::new));
    }
    jetty.setHandler(new ExcessRequests(this, new LingeringClose(jetty.getHandler())));
  }

  /** Begins or stops to tell clients that their connections end; new ones are still served. */
  public void announceEnd(boolean wanted) {
    ending = wanted;
  }

  /** Returns whether each response tells its client that the connection ends. */
  boolean isEnding() {
    return ending;
  }

  /** Closes the sockets, and waits until the running requests have ended, but no longer than that. */
  public void drain(Duration grace) {
    ending = true;
    connectors().forEach(ServerConnector::close);
    awaitEnd(grace);
  }

  /** The bounded connectors, in the order of the server's original ones. */
  synchronized List<ServerConnector> connectors() {
    return List.copyOf(connectors);
  }

  /** The number of open connections. */
  synchronized int open() {
    return held.size();
  }

  @Override
  public void onAccepting(SelectableChannel channel) {
    Optional<EndPoint> eldest = Optional.empty();
    boolean crowded;
    synchronized (this) {
      crowded = held.size() >= served;
      if (crowded) {
        eldest = eldestWaiting(PATIENCE);
      }
      held.put(channel, new Held(crowded && eldest.isEmpty()));
      accept(held.size() < served + answered);
    }
    eldest.ifPresent(this::end);
    if (crowded) {
      full.count().ifPresent(times -> log());
    }
  }

  private void log() {
    LOG.warn(
        "The {} listeners have {} connections, as many as file descriptors allow. Each new connection ends the one that has waited"
            + " longest for a request ({} so far); a higher limit (LimitNOFILE, ulimit -n) allows more",
        name, served, ended.get());
  }

  @Override
  public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
    onClosed(channel);
  }

  @Override
  public synchronized void onClosed(SelectableChannel channel) {
    Held gone = held.remove(channel);
    if (gone != null) {
      waiting.remove(gone);
      accept(held.size() < served + answered);
    }
  }

  @Override
  public synchronized void onOpened(Connection connection) {
    Held opened = heldBy(connection.getEndPoint());
    // With TLS this is called a second time, for the connection within.
    if (opened != null && opened.endPoint.isEmpty()) {
      opened.endPoint = Optional.of(connection.getEndPoint());
      await(opened);
    }
  }

  /**
   * Begins a request. If its connection exceeds the bound, the connection that has waited longest for a request ends, even
   * if it has not waited long: a whole request has priority. Returns whether none waited; the request must then be refused.
   */
  boolean begin(Request request) {
    Optional<EndPoint> eldest;
    synchronized (this) {
      Held asking = heldBy(request.getConnectionMetaData().getConnection().getEndPoint());
      if (asking == null) {
        return false;
      }
      asking.requests++;
      waiting.remove(asking);
      if (!asking.excess || held.size() <= served) {
        return false;
      }
      eldest = eldestWaiting(0);
      asking.excess = eldest.isEmpty();
    }
    eldest.ifPresent(this::end);
    return eldest.isEmpty();
  }

  /** Ends a request: its connection waits for the next one. */
  synchronized void end(Request request) {
    Held asking = heldBy(request.getConnectionMetaData().getConnection().getEndPoint());
    // A pipelined request may have begun before Jetty reports the end of the one before.
    if (asking != null && --asking.requests == 0) {
      await(asking);
    }
  }

  /** Ends connections that wait for a request, until all have ended, but for no longer than that. */
  private void awaitEnd(Duration most) {
    long deadline = System.nanoTime() + most.toNanos();
    while (open() > 0 && System.nanoTime() < deadline) {
      List<EndPoint> ending = new ArrayList<>();
      synchronized (this) {
        Optional<EndPoint> eldest = eldestWaiting(PATIENCE);
        while (eldest.isPresent()) {
          ending.add(eldest.get());
          eldest = eldestWaiting(PATIENCE);
        }
      }
      ending.forEach(EndPoint::close);
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void await(Held connection) {
    connection.since = System.nanoTime();
    waiting.add(connection);
  }

  private @Nullable Held heldBy(EndPoint endPoint) {
    Object transport = endPoint.getTransport();
    while (transport instanceof EndPoint within) {
      // TLS has an end point of its own around the socket's.
      transport = within.getTransport();
    }
    return transport instanceof SelectableChannel channel ? held.get(channel) : null;
  }

  /** Removes and returns the connection that has waited longest, if it has waited for that many nanoseconds. */
  private Optional<EndPoint> eldestWaiting(long patience) {
    Iterator<Held> all = waiting.iterator();
    if (!all.hasNext()) {
      return Optional.empty();
    }
    Held eldest = all.next();
    if (System.nanoTime() - eldest.since < patience) {
      return Optional.empty();
    }
    all.remove();
    return eldest.endPoint;
  }

  /** Closes the connection. Must not be called under the lock, because Jetty calls back. */
  private void end(EndPoint endPoint) {
    ended.incrementAndGet();
    endPoint.close();
  }

  private void accept(boolean accepting) {
    if (suspended == accepting) {
      suspended = !accepting;
      connectors.forEach(connector -> connector.setAccepting(accepting));
      if (suspended) {
        lookLater();
      }
    }
  }

  private void lookLater() {
    if (looking) {
      return;
    }
    looking = true;
    server.map(Server::getScheduler).ifPresent(s -> s.schedule(this::relieve, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS));
  }

  /** Ends waiting connections while none is accepted: nothing else would end those that send no request, or a byte now and then. */
  private void relieve() {
    List<EndPoint> ending = new ArrayList<>();
    synchronized (this) {
      looking = false;
      if (!suspended) {
        return;
      }
      Optional<EndPoint> eldest = eldestWaiting(PATIENCE);
      while (eldest.isPresent()) {
        ending.add(eldest.get());
        eldest = ending.size() < answered ? eldestWaiting(PATIENCE) : Optional.empty();
      }
      lookLater();
    }
    ending.forEach(this::end);
  }
}
