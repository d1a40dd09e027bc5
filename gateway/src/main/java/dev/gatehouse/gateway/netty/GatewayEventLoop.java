package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.accesslog.AccessLines;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.traffic.BufferBudget;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.ConnectionPermits;
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

/** What belongs to one event loop: its connections, its pools, its buffer for heads. Touched by that loop only. */
final class GatewayEventLoop {

  private static final Logger LOG = LoggerFactory.getLogger(GatewayEventLoop.class);

  /** A client that takes nothing for so long gives its connection to the app to others, where there is none else. */
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
  private final ConnectionPermits places;
  private final Set<UpstreamPool> queueing = new HashSet<>();
  private long dateSecond = -1;
  private String date = "";

  GatewayEventLoop(EventLoop executor, InstantSource time, BiFunction<GatewayEventLoop, AppServer, UpstreamPool> newPool,
      @Nullable AccessLines accessLog, BufferBudget buffers, ConnectionPermits places) {
    this.executor = executor;
    this.time = time;
    this.newPool = newPool;
    this.accessLog = accessLog;
    this.places = places;
    this.relief = new BufferRelief(buffers, executor, watched);
    this.receive = receive(() -> BoundedReceive.USUAL);
  }

  void start() {
    places.keeper(
        new ConnectionPermits.Keeper() {
          @Override
          public void closeIdle(AppServer server, boolean many) {
            later(() -> yieldIdle(server, many));
          }

          @Override
          public void closeStalled(AppServer server, int most) {
            later(() -> giveUpStalled(server, most));
          }
        });
    executor.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  EventLoop executor() {
    return executor;
  }

  /** How clients' connections are read. */
  BoundedReceive receive() {
    return receive;
  }

  /** How a connection is read. @param wanted bytes that are welcome at the moment */
  BoundedReceive receive(IntSupplier wanted) {
    return new BoundedReceive(relief, wanted);
  }

  /** Whether little may be read ahead for anybody. */
  boolean isTight() {
    return relief.isTight();
  }

  InstantSource time() {
    return time;
  }

  /** An empty buffer, for one head at a time. */
  HeadBuffer head() {
    return heads.reset();
  }

  /** The connections to a server. */
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

  /** The configuration no longer names that server: what is idle is closed, what runs is closed at its end. */
  void retire(AppServer server) {
    UpstreamPool pool = pools.remove(server);
    if (pool != null) {
      pool.closeIdle();
    }
  }

  /** Runs it soon on this loop; never where the server stops. */
  void later(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("The loop has ended", e);
    }
  }

  /** Places for connections to apps. */
  ConnectionPermits places() {
    return places;
  }

  /** Places at that server are wanted: connections that nobody uses are closed. */
  private void yieldIdle(AppServer server, boolean many) {
    UpstreamPool same = pools.get(server);
    if (same != null) {
      same.yieldIdle(places.lacking(server, many));
    }
    for (UpstreamPool pool : pools.values()) {
      pool.yieldIdle(places.lackingInAll(server, many));
    }
  }

  /** Requests wait in that pool, or no longer. */
  void queueing(UpstreamPool pool, boolean waiting) {
    if (waiting) {
      queueing.add(pool);
    } else {
      queueing.remove(pool);
    }
  }

  /** Gives up so many connections to that server, or to any where all are too many, whose clients take nothing. */
  void giveUpStalled(AppServer server, int most) {
    long now = System.nanoTime();
    boolean any = places.isFull();
    List<UpstreamConnection> stalled = new ArrayList<>();
    for (WatchedConnection connection : watched) {
      if (connection instanceof UpstreamConnection to && (any || to.isTo(server)) && to.stalled(now) > STALLED_NANOS) {
        stalled.add(to);
      }
    }
    stalled.sort(Comparator.comparingLong((UpstreamConnection to) -> to.stalled(now)).reversed());
    // Other loops may have given up some already.
    int needed = Math.clamp(places.lacking(server, false), 0, most);
    stalled.stream().limit(needed).forEach(UpstreamConnection::evict);
  }

  void watch(WatchedConnection connection) {
    watched.add(connection);
    relief.added(connection);
  }

  void forget(WatchedConnection connection) {
    watched.remove(connection);
  }

  /** To how many servers requests wait for a connection. */
  int queueing() {
    return queueing.size();
  }

  /** How many connections are looked after. */
  int watched() {
    return watched.size();
  }

  /** Bytes of buffers that wait in its connections. */
  long held() {
    return executor.submit(() -> watched.stream().mapToLong(WatchedConnection::held).sum()).syncUninterruptibly().getNow();
  }

  void drain() {
    List.copyOf(watched).forEach(WatchedConnection::drain);
  }

  /** Writes down a request that has ended; once, however often it ends. */
  void log(AccessEntry entry) {
    if (entry.end() && accessLog != null) {
      accessLog.add(entry);
    }
  }

  /** Hands over what was written down. */
  void flushLog() {
    if (accessLog != null) {
      accessLog.flush();
    }
  }

  /** In seconds of the epoch. */
  long second() {
    return time.millis() / 1000;
  }

  /** The value of a Date field (RFC 9110, section 6.6.1), made once a second. */
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
      relief.look();
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("Memory could not be freed", e);
    }
    long now = System.nanoTime();
    for (UpstreamPool pool : List.copyOf(queueing)) {
      try {
        pool.check(now);
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.error("Requests that wait for a connection to {} could not be looked after", pool.server().origin(), e);
      }
    }
    // A connection that is closed leaves the set while we walk.
    for (WatchedConnection connection : new ArrayList<>(watched)) {
      try {
        connection.check(now);
      } catch (RuntimeException | OutOfMemoryError e) {
        // All others still have their deadlines: a task that throws is never run again.
        LOG.error("A connection could not be looked after", e);
      }
    }
  }
}
