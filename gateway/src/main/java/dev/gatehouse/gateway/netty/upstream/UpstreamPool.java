package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.upstream.ConnectionQueue.Waiter;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.ConnectionPermits;
import dev.gatehouse.gateway.upstream.Demand;
import dev.gatehouse.gateway.upstream.IdlePool;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of one event loop to one server of an app. */
public final class UpstreamPool {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamPool.class);

  private final UpstreamPools pools;
  private final GatewayEventLoop loop;
  private final AppServer server;
  private final UpstreamPools.Shared shared;
  private final IdlePool<UpstreamConnection> idle = new IdlePool<>();
  private final ConnectionPermits permits;
  private final ConnectionQueue queue;
  private final Runnable wake = this::wake;
  private final Runnable awake = this::onWake;
  private final Runnable free = this::free;
  private final AtomicBoolean woken = new AtomicBoolean();

  UpstreamPool(UpstreamPools pools, AppServer server) {
    this.pools = pools;
    this.loop = pools.loop();
    this.server = server;
    this.shared = pools.shared();
    this.permits = shared.permits();
    this.queue = new ConnectionQueue(permits, server);
  }

  GatewayEventLoop loop() {
    return loop;
  }

  AppServer server() {
    return server;
  }

  /**
   * Finds or opens a connection, and calls {@link UpstreamListener#ready} or {@link UpstreamListener#failed}.
   *
   * @param repeatable whether the request may be sent again, so that a connection may be used that the app may just be
   *     closing
   * @param now as of {@link System#nanoTime()}
   */
  public void acquire(UpstreamListener listener, UpstreamTimeouts timeouts, boolean repeatable, long now) {
    Duration longestIdle = timeouts.keepAlive();
    if (!repeatable && shared.limits().times().appSafe().compareTo(longestIdle) < 0) {
      longestIdle = shared.limits().times().appSafe();
    }
    Demand demand = listener.demand();
    UpstreamConnection kept = idle.youngest();
    while (kept != null && queue.isFirst(demand) && kept.isUsable(longestIdle.toNanos(), now)) {
      idle.pop();
      if (permits.mayServe(server, demand)) {
        kept.begin(listener, timeouts, true, now);
        listener.ready(kept);
        return;
      }
      // The connection's permit is returned for other clients; if enough permits are free, the next connection may
      // serve.
      kept.abandon();
      kept = idle.youngest();
    }
    open(listener, timeouts);
  }

  /** Opens a new connection as soon as there is a permit for it. */
  public void open(UpstreamListener listener, UpstreamTimeouts timeouts) {
    Waiter fresh = new Waiter(listener, timeouts, listener.demand(), System.nanoTime());
    if (queue.passes(fresh)) {
      open(listener, timeouts, free);
      return;
    }
    boolean first = queue.isEmpty();
    if (!queue.offer(fresh)) {
      listener.failed(UpstreamFailure.BUSY, false);
      return;
    }
    if (first) {
      permits.await(server, wake);
      pools.queueing(this, true);
    }
    permits.makeRoom(server, fresh.demand());
    if (queue.few() == 1) {
      pools.closeStalled(server, 1);
    }
    // A permit may have become free between the attempt and the wait.
    wake();
  }

  /** Opens a connection without a permit, for a health check. */
  void probe(UpstreamListener listener, UpstreamTimeouts timeouts) {
    open(listener, timeouts, () -> {});
  }

  /** Cancels a request that waits for a connection. */
  public void cancel(UpstreamListener listener) {
    queue.cancel(listener);
    stopWaiting();
  }

  private void wake() {
    if (woken.compareAndSet(false, true)) {
      loop.later(awake);
    }
  }

  private void onWake() {
    woken.set(false);
    serve();
  }

  private void serve() {
    for (Waiter next = queue.served(); next != null; next = queue.served()) {
      open(next.listener(), next.timeouts(), free);
    }
    stopWaiting();
  }

  private void free() {
    queue.free();
  }

  private void stopWaiting() {
    if (queue.isEmpty()) {
      permits.stopWaiting(server, wake);
      pools.queueing(this, false);
    }
  }

  /** Checks the queue; called a few times a second while requests wait. */
  void check(long now) {
    if (queue.few() > 0) {
      permits.endStalled(server, queue.few());
    }
    for (Waiter late : queue.expired(now, permits.bounds().queueTime().toNanos())) {
      try {
        late.listener().failed(UpstreamFailure.BUSY, false);
      } catch (RuntimeException | OutOfMemoryError e) {
        // The remaining requests were removed from the queue as well, and must still be notified.
        LOG.error("A request could not be notified that there is no connection to {}", server.origin(), e);
      }
    }
    serve();
  }

  /** Closes up to {@code most} idle connections. */
  void yieldIdle(int most) {
    for (int i = 0; i < most && idle.size() > 0; i++) {
      UpstreamConnection unused = Objects.requireNonNull(idle.youngest());
      idle.pop();
      unused.abandon();
    }
  }

  /** @param free called once, when the connection could not be opened or has closed */
  private void open(UpstreamListener listener, UpstreamTimeouts timeouts, Runnable free) {
    Optional<SslContext> context;
    try {
      context = server.origin().isSecure() ? Optional.of(shared.tls().context(server.tls())) : Optional.empty();
    } catch (RuntimeException e) {
      LOG.error("The TLS handshake with the app at {} failed", server.origin(), e);
      free.run();
      listener.failed(UpstreamFailure.TLS, false);
      return;
    }
    shared.addresses().resolve(
        server.origin().host(),
        loop.executor(),
        found -> connect(new Waiter(listener, timeouts, Demand.FEW, 0), context, shared.addresses().open(server.origin(), found), 0, free));
  }

  private void connect(
      Waiter to, Optional<SslContext> context, List<InetAddress> found, int next, Runnable free) {
    UpstreamListener listener = to.listener();
    UpstreamTimeouts timeouts = to.timeouts();
    if (found.isEmpty()) {
      free.run();
      listener.failed(UpstreamFailure.UNREACHABLE, false);
      return;
    }
    UpstreamConnection connection = new UpstreamConnection(this, shared.heads(), timeouts);
    ChannelFuture connecting =
        new Bootstrap()
            .group(loop.executor())
            .channel(shared.transport().clientChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeouts.connect().toMillis())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.config().setRecvByteBufAllocator(loop.receive(connection::readSize));
                    context.ifPresent(c -> channel.pipeline().addLast(secure(c, channel, timeouts)));
                    channel.pipeline().addLast(connection);
                  }
                })
            .connect(new InetSocketAddress(found.get(next), server.origin().port()));
    Runnable connected =
        () -> {
          if (connecting.isSuccess()) {
            connecting.channel().closeFuture().addListener(closed -> free.run());
            handshake(listener, connection, connecting.channel());
            return;
          }
          if (connecting.cause() instanceof ChannelException) {
            // No socket could be created because descriptors ran out; this is not a failure of the server.
            free.run();
            listener.failed(UpstreamFailure.BUSY, false);
            return;
          }
          shared.addresses().failed(found.get(next));
          if (next + 1 < found.size()) {
            connect(to, context, found, next + 1, free);
          } else {
            free.run();
            boolean slow = connecting.cause() instanceof ConnectTimeoutException;
            listener.failed(slow ? UpstreamFailure.TIMEOUT : UpstreamFailure.UNREACHABLE, false);
          }
        };
    // Without a channel (if no descriptor is free) the future has no event loop and notifies its listeners on a thread
    // of its own.
    connecting.addListener(
        done -> {
          if (loop.executor().inEventLoop()) {
            connected.run();
          } else {
            loop.later(connected);
          }
        });
  }

  private void handshake(UpstreamListener listener, UpstreamConnection connection, Channel channel) {
    SslHandler handler = channel.pipeline().get(SslHandler.class);
    if (handler == null) {
      start(listener, connection);
      return;
    }
    handler
        .handshakeFuture()
        .addListener(
            done -> {
              if (done.isSuccess()) {
                start(listener, connection);
              } else if (connection.isEvicted()) {
                listener.failed(UpstreamFailure.BUSY, false);
              } else {
                LOG.warn("The TLS handshake with the app at {} failed: {}", server.origin(), String.valueOf(done.cause()));
                listener.failed(UpstreamFailure.TLS, false);
              }
            });
  }

  private static void start(UpstreamListener listener, UpstreamConnection connection) {
    connection.begin(listener, connection.timeouts(), false, System.nanoTime());
    listener.ready(connection);
  }

  /** The certificate must have the URL's host name, or the name that is configured instead. */
  private SslHandler secure(SslContext context, Channel channel, UpstreamTimeouts timeouts) {
    Origin origin = server.origin();
    String name = server.tls().serverName().orElse(origin.host());
    SslHandler handler = context.newHandler(channel.alloc(), name, origin.port());
    handler.setHandshakeTimeoutMillis(timeouts.tls().toMillis());
    return handler;
  }

  /** Returns a connection after use: gives it to a waiting request, or stores it as idle unless there are enough. */
  void release(UpstreamConnection connection) {
    Waiter next = queue.first();
    if (next != null) {
      connection.begin(next.listener(), next.timeouts(), true, System.nanoTime());
      next.listener().ready(connection);
      stopWaiting();
      return;
    }
    // If permits are scarce, an idle connection is closed, so that any event loop and server can use its permit.
    if (server.isRetired() || permits.isWanted(server) || !idle.offer(connection, connection.timeouts().idle())) {
      connection.abandon();
    }
  }

  void gone(UpstreamConnection connection) {
    idle.remove(connection);
  }

  void closeIdle() {
    idle.clear().forEach(UpstreamConnection::abandon);
  }
}
