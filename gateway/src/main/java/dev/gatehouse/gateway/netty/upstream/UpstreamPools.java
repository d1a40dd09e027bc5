package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.TransportProvider;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.ConnectionPermits;
import dev.gatehouse.gateway.upstream.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pools of one event loop, one for each server of an app. Used by that event loop only. */
public final class UpstreamPools {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamPools.class);

  /**
   * A client that reads nothing for this long loses its connection to the app if other requests need it and no permit
   * is free.
   */
  private static final long STALLED_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The objects that the pools of all event loops share. */
  public record Shared(
      TransportProvider transport, Addresses addresses, UpstreamTls tls, NodeLimits limits, HeadLimits heads,
      ConnectionPermits permits) {}

  private final GatewayEventLoop loop;
  private final Shared shared;
  private final ConnectionPermits permits;
  private final Map<AppServer, UpstreamPool> pools = new IdentityHashMap<>();
  private final Set<UpstreamPool> queueing = new HashSet<>();

  public UpstreamPools(GatewayEventLoop loop, Shared shared) {
    this.loop = loop;
    this.shared = shared;
    this.permits = shared.permits();
  }

  public void start() {
    permits.addOwner(
        new ConnectionPermits.Owner() {
          @Override
          public void closeIdle(AppServer server, Demand demand) {
            loop.later(() -> UpstreamPools.this.closeIdle(server, demand));
          }

          @Override
          public void closeStalled(AppServer server, int most) {
            loop.later(() -> UpstreamPools.this.closeStalled(server, most));
          }
        });
    loop.addCheck(this::check);
  }

  public GatewayEventLoop loop() {
    return loop;
  }

  Shared shared() {
    return shared;
  }

  /** The pool of connections to a server. */
  public UpstreamPool pool(AppServer server) {
    UpstreamPool known = pools.get(server);
    if (known != null) {
      return known;
    }
    UpstreamPool fresh = new UpstreamPool(this, server);
    if (!server.isRetired()) {
      pools.put(server, fresh);
    }
    return fresh;
  }

  /**
   * Removes a server that the configuration no longer names: closes idle connections now and active ones when they end.
   */
  void retire(AppServer server) {
    UpstreamPool pool = pools.remove(server);
    if (pool != null) {
      pool.closeIdle();
    }
  }

  /** Closes idle connections because permits for that server are needed. */
  private void closeIdle(AppServer server, Demand demand) {
    UpstreamPool same = pools.get(server);
    if (same != null) {
      same.yieldIdle(permits.lacking(server, demand));
    }
    for (UpstreamPool pool : pools.values()) {
      pool.yieldIdle(permits.lackingInAll(server, demand));
    }
  }

  /** Records whether requests wait in a pool. */
  void queueing(UpstreamPool pool, boolean waiting) {
    if (waiting) {
      queueing.add(pool);
    } else {
      queueing.remove(pool);
    }
  }

  /**
   * Closes up to {@code most} connections whose clients read nothing: connections to that server, or to any server if
   * the permits of all servers are used up.
   */
  void closeStalled(AppServer server, int most) {
    long now = System.nanoTime();
    boolean any = permits.isFull();
    List<UpstreamConnection> stalled = new ArrayList<>();
    for (WatchedConnection connection : loop.connections()) {
      if (connection instanceof UpstreamConnection to && (any || to.isTo(server)) && to.stalled(now) > STALLED_NANOS) {
        stalled.add(to);
      }
    }
    stalled.sort(Comparator.comparingLong((UpstreamConnection to) -> to.stalled(now)).reversed());
    // Other event loops may have closed some already.
    int needed = Math.clamp(permits.lacking(server, Demand.FEW), 0, most);
    stalled.stream().limit(needed).forEach(UpstreamConnection::evict);
  }

  /** The number of servers that requests wait for. */
  public int queueing() {
    return queueing.size();
  }

  private void check(long now) {
    for (UpstreamPool pool : List.copyOf(queueing)) {
      try {
        pool.check(now);
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.error("Requests that wait for a connection to {} could not be checked", pool.server().origin(), e);
      }
    }
  }
}
