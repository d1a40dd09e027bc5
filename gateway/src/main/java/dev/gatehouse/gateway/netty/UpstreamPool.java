package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.netty.ConnectionQueue.Waiter;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.ConnectionPermits;
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
final class UpstreamPool {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamPool.class);

  private final GatewayEventLoop loop;
  private final AppServer server;
  private final TransportProvider engine;
  private final Addresses addresses;
  private final UpstreamTls tls;
  private final GatewayLimits limits;
  private final IdlePool<UpstreamConnection> idle = new IdlePool<>();
  private final ConnectionPermits places;
  private final ConnectionQueue queue;
  private final Runnable wake = this::wake;
  private final Runnable awake = this::awake;
  private final Runnable free = this::free;
  private final AtomicBoolean woken = new AtomicBoolean();

  UpstreamPool(GatewayEventLoop loop, AppServer server, TransportProvider engine, Addresses addresses, UpstreamTls tls, GatewayLimits limits) {
    this.loop = loop;
    this.server = server;
    this.engine = engine;
    this.addresses = addresses;
    this.tls = tls;
    this.limits = limits;
    this.places = loop.places();
    this.queue = new ConnectionQueue(places, server);
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
   * @param repeatable the request may be sent again, so that a connection is fine that the app may just be closing
   * @param now as of {@link System#nanoTime()}
   */
  void acquire(UpstreamListener listener, UpstreamTimeouts patience, boolean repeatable, long now) {
    Duration longestIdle = patience.keepAlive();
    if (!repeatable && limits.upstreamSafe().compareTo(longestIdle) < 0) {
      longestIdle = limits.upstreamSafe();
    }
    boolean many = listener.hasMany();
    UpstreamConnection kept = idle.youngest();
    while (kept != null && queue.isFirst(many) && kept.isUsable(longestIdle.toNanos(), now)) {
      idle.pop();
      if (places.mayServe(server, many)) {
        kept.begin(listener, patience, true, now);
        listener.ready(kept);
        return;
      }
      // Its place is kept free for others; once there are enough of them, the next one may serve.
      kept.abandon();
      kept = idle.youngest();
    }
    open(listener, patience);
  }

  /** Opens a new connection, as soon as there is a place for it. */
  void open(UpstreamListener listener, UpstreamTimeouts patience) {
    Waiter fresh = new Waiter(listener, patience, listener.hasMany(), System.nanoTime());
    if (queue.passes(fresh)) {
      open(listener, patience, free);
      return;
    }
    boolean first = queue.isEmpty();
    if (!queue.offer(fresh)) {
      listener.failed(UpstreamFailure.BUSY, false);
      return;
    }
    if (first) {
      places.await(server, wake);
      loop.queueing(this, true);
    }
    places.makeRoom(server, fresh.many());
    if (queue.few() == 1) {
      loop.giveUpStalled(server, 1);
    }
    // A place may have become free between the look and the wait.
    wake();
  }

  /** Opens one beside all others, for a question of ours. */
  void probe(UpstreamListener listener, UpstreamTimeouts patience) {
    open(listener, patience, () -> {});
  }

  /** The request no longer wants a connection. */
  void cancel(UpstreamListener listener) {
    queue.cancel(listener);
    stopWaiting();
  }

  private void wake() {
    if (woken.compareAndSet(false, true)) {
      loop.later(awake);
    }
  }

  private void awake() {
    woken.set(false);
    serve();
  }

  private void serve() {
    for (Waiter next = queue.served(); next != null; next = queue.served()) {
      open(next.listener(), next.patience(), free);
    }
    stopWaiting();
  }

  private void free() {
    queue.free();
  }

  private void stopWaiting() {
    if (queue.isEmpty()) {
      places.stopWaiting(server, wake);
      loop.queueing(this, false);
    }
  }

  /** Called a few times a second while requests wait. */
  void check(long now) {
    if (queue.few() > 0) {
      places.endStalled(server, queue.few());
    }
    for (Waiter late : queue.expired(now, places.bounds().queueTime().toNanos())) {
      try {
        late.listener().failed(UpstreamFailure.BUSY, false);
      } catch (RuntimeException | OutOfMemoryError e) {
        // The others have left the queue too, and nobody else would tell them.
        LOG.error("A request could not be told that there is no connection to {}", server.origin(), e);
      }
    }
    serve();
  }

  /** Closes so many connections that nobody uses, or as many as there are. */
  void yieldIdle(int most) {
    for (int i = 0; i < most && idle.size() > 0; i++) {
      UpstreamConnection unused = Objects.requireNonNull(idle.youngest());
      idle.pop();
      unused.abandon();
    }
  }

  /** @param free called once, where there is no connection or no longer one */
  private void open(UpstreamListener listener, UpstreamTimeouts patience, Runnable free) {
    Optional<SslContext> context;
    try {
      context = server.origin().isSecure() ? Optional.of(tls.context(server.tls())) : Optional.empty();
    } catch (RuntimeException e) {
      LOG.error("No TLS with the app at {}", server.origin(), e);
      free.run();
      listener.failed(UpstreamFailure.TLS, false);
      return;
    }
    addresses.resolve(
        server.origin().host(),
        loop.executor(),
        found -> connect(new Waiter(listener, patience, false, 0), context, found, 0, free));
  }

  private void connect(
      Waiter to, Optional<SslContext> context, List<InetAddress> found, int next, Runnable free) {
    UpstreamListener listener = to.listener();
    UpstreamTimeouts patience = to.patience();
    if (found.isEmpty()) {
      free.run();
      listener.failed(UpstreamFailure.UNREACHABLE, false);
      return;
    }
    UpstreamConnection connection = new UpstreamConnection(this, limits.heads(), patience);
    ChannelFuture connecting =
        new Bootstrap()
            .group(loop.executor())
            .channel(engine.clientChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) patience.connect().toMillis())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.config().setRecvByteBufAllocator(loop.receive(connection::readSize));
                    context.ifPresent(c -> channel.pipeline().addLast(secure(c, channel, patience)));
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
            // No socket, for want of a descriptor: that is not the server's fault.
            free.run();
            listener.failed(UpstreamFailure.BUSY, false);
            return;
          }
          addresses.failed(found.get(next));
          if (next + 1 < found.size()) {
            connect(to, context, found, next + 1, free);
          } else {
            free.run();
            boolean slow = connecting.cause() instanceof ConnectTimeoutException;
            listener.failed(slow ? UpstreamFailure.TIMEOUT : UpstreamFailure.UNREACHABLE, false);
          }
        };
    // Without a channel (no descriptor is free) the future has no loop and tells its listeners on a thread of its own.
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
                LOG.warn("No TLS with the app at {}: {}", server.origin(), String.valueOf(done.cause()));
                listener.failed(UpstreamFailure.TLS, false);
              }
            });
  }

  private static void start(UpstreamListener listener, UpstreamConnection connection) {
    connection.begin(listener, connection.patience(), false, System.nanoTime());
    listener.ready(connection);
  }

  /** The name that the certificate must have: the URL's, or the one that is configured in its place. */
  private SslHandler secure(SslContext context, Channel channel, UpstreamTimeouts patience) {
    Origin origin = server.origin();
    String name = server.tls().serverName().orElse(origin.host());
    SslHandler handler = context.newHandler(channel.alloc(), name, origin.port());
    handler.setHandshakeTimeoutMillis(patience.tls().toMillis());
    return handler;
  }

  /** A connection that has done its work is kept, unless there are enough. */
  void release(UpstreamConnection connection) {
    Waiter next = queue.first();
    if (next != null) {
      connection.begin(next.listener(), next.patience(), true, System.nanoTime());
      next.listener().ready(connection);
      stopWaiting();
      return;
    }
    // Where places are scarce one that nobody uses is better free, for whatever loop and server it is wanted.
    if (server.isRetired() || places.isWanted(server) || !idle.offer(connection, connection.patience().idle())) {
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
