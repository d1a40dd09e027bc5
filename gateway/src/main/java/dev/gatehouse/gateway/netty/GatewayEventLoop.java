package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.accesslog.AccessLines;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.traffic.BufferBudget;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.ConnectionPermits;
import dev.gatehouse.gateway.upstream.Demand;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of one event loop: its connections, upstream pools, and buffer for heads. Used by that event loop only. */
final class GatewayEventLoop {

  private static final Logger LOG = LoggerFactory.getLogger(GatewayEventLoop.class);

  /**
   * A client that reads nothing for this long loses its connection to the app if other requests need it and no permit
   * is free.
   */
  private static final long STALLED_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final long SWEEP_MILLIS = 250;
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private final EventLoop executor;
  private final InstantSource time;
  private final BiFunction<GatewayEventLoop, AppServer, UpstreamPool> newPool;
  private final @Nullable AccessLines accessLog;
  private final HeadBuffer heads = new HeadBuffer();
  private final Map<AppServer, UpstreamPool> pools = new IdentityHashMap<>();
  private final Set<WatchedConnection> watched = new HashSet<>();
  private final BufferRelief relief;
  private final BoundedReceive receive;
  private final ConnectionPermits permits;
  private final FairQueue crowded;
  private final Set<UpstreamPool> queueing = new HashSet<>();
  private long dateSecond = -1;
  private String date = "";

  GatewayEventLoop(EventLoop executor, InstantSource time, BiFunction<GatewayEventLoop, AppServer, UpstreamPool> newPool,
      @Nullable AccessLines accessLog, BufferBudget buffers, ConnectionPermits permits) {
    this.executor = executor;
    this.time = time;
    this.newPool = newPool;
    this.accessLog = accessLog;
    this.permits = permits;
    this.crowded = new FairQueue(executor);
    this.relief = new BufferRelief(buffers, executor, watched);
    this.receive = receive(() -> BoundedReceive.USUAL);
  }

  void start() {
    permits.addOwner(
        new ConnectionPermits.Owner() {
          @Override
          public void closeIdle(AppServer server, Demand demand) {
            later(() -> GatewayEventLoop.this.closeIdle(server, demand));
          }

          @Override
          public void closeStalled(AppServer server, int most) {
            later(() -> GatewayEventLoop.this.closeStalled(server, most));
          }
        });
    executor.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  EventLoop executor() {
    return executor;
  }

  /** The read sizes of clients' connections. */
  BoundedReceive receive() {
    return receive;
  }

  /**
   * The read sizes of a connection.
   *
   * @param wanted supplies the bytes that are welcome at the moment
   */
  BoundedReceive receive(IntSupplier wanted) {
    return new BoundedReceive(relief, wanted);
  }

  /** Whether reads must be small because memory is tight. */
  boolean isTight() {
    return relief.isTight();
  }

  InstantSource time() {
    return time;
  }

  /** An empty buffer; only one head may use it at a time. */
  HeadBuffer head() {
    return heads.reset();
  }

  /** The pool of connections to a server. */
  UpstreamPool pool(AppServer server) {
    UpstreamPool known = pools.get(server);
    if (known != null) {
      return known;
    }
    UpstreamPool fresh = newPool.apply(this, server);
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

  /** Runs a task soon on this event loop; drops it if the server stops. */
  void later(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("The event loop has ended", e);
    }
  }

  /** The requests of clients that have much under way. */
  FairQueue crowded() {
    return crowded;
  }

  /** The permits for connections to apps. */
  ConnectionPermits permits() {
    return permits;
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
    for (WatchedConnection connection : watched) {
      if (connection instanceof UpstreamConnection to && (any || to.isTo(server)) && to.stalled(now) > STALLED_NANOS) {
        stalled.add(to);
      }
    }
    stalled.sort(Comparator.comparingLong((UpstreamConnection to) -> to.stalled(now)).reversed());
    // Other event loops may have closed some already.
    int needed = Math.clamp(permits.lacking(server, Demand.FEW), 0, most);
    stalled.stream().limit(needed).forEach(UpstreamConnection::evict);
  }

  void watch(WatchedConnection connection) {
    watched.add(connection);
    relief.added(connection);
  }

  void forget(WatchedConnection connection) {
    watched.remove(connection);
  }

  /** The number of servers that requests wait for. */
  int queueing() {
    return queueing.size();
  }

  /** The number of watched connections. */
  int watched() {
    return watched.size();
  }

  /** Bytes that this event loop's connections hold in buffers. */
  long held() {
    return executor.submit(() -> watched.stream().mapToLong(WatchedConnection::held).sum()).syncUninterruptibly().getNow();
  }

  void drain() {
    List.copyOf(watched).forEach(WatchedConnection::drain);
  }

  /** Writes the access log line of a request that has ended; only once, however often it is called. */
  void log(AccessEntry entry) {
    if (entry.end() && accessLog != null) {
      accessLog.add(entry);
    }
  }

  /** Flushes the access log lines. */
  void flushLog() {
    if (accessLog != null) {
      accessLog.flush();
    }
  }

  /** The current time in seconds since the epoch. */
  long second() {
    return time.millis() / 1000;
  }

  /** The value of a Date field (RFC 9110, section 6.6.1), formatted once a second. */
  String date() {
    long second = time.instant().getEpochSecond();
    if (second != dateSecond) {
      dateSecond = second;
      date = DATE.format(time.instant());
    }
    return date;
  }

  private void sweep() {
    flushLog();
    try {
      relief.check();
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("Memory could not be freed", e);
    }
    long now = System.nanoTime();
    for (UpstreamPool pool : List.copyOf(queueing)) {
      try {
        pool.check(now);
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.error("Requests that wait for a connection to {} could not be checked", pool.server().origin(), e);
      }
    }
    // Copied because a connection that is closed removes itself from the set.
    for (WatchedConnection connection : new ArrayList<>(watched)) {
      try {
        connection.check(now);
      } catch (RuntimeException | OutOfMemoryError e) {
        // The other connections must still be checked, and a scheduled task that throws is never run again.
        LOG.error("A connection could not be checked", e);
      }
    }
  }
}
