package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.IdlePool;
import dev.gatehouse.gateway.upstream.Patience;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of one event loop to one server of an app. */
final class UpstreamPool {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamPool.class);

  private final Loop loop;
  private final AppServer server;
  private final Engine engine;
  private final Addresses addresses;
  private final UpstreamTls tls;
  private final Limits limits;
  private final IdlePool<UpstreamConnection> idle = new IdlePool<>();

  UpstreamPool(Loop loop, AppServer server, Engine engine, Addresses addresses, UpstreamTls tls, Limits limits) {
    this.loop = loop;
    this.server = server;
    this.engine = engine;
    this.addresses = addresses;
    this.tls = tls;
    this.limits = limits;
  }

  Loop loop() {
    return loop;
  }

  /**
   * Finds or opens a connection, and calls {@link UpstreamListener#ready} or {@link UpstreamListener#failed}.
   *
   * @param repeatable the request may be sent again, so that a connection is fine that the app may just be closing
   */
  void acquire(UpstreamListener listener, Patience patience, boolean repeatable) {
    Duration longestIdle = patience.keepAlive();
    if (!repeatable && limits.upstreamSafe().compareTo(longestIdle) < 0) {
      longestIdle = limits.upstreamSafe();
    }
    UpstreamConnection kept = idle.youngest();
    if (kept != null && kept.isUsable(longestIdle.toNanos())) {
      idle.pop();
      kept.begin(listener, patience, true);
      listener.ready(kept);
      return;
    }
    open(listener, patience);
  }

  /** Opens a new connection. */
  void open(UpstreamListener listener, Patience patience) {
    Optional<SslContext> context;
    try {
      context = server.origin().isSecure() ? Optional.of(tls.context(server.tls())) : Optional.empty();
    } catch (RuntimeException e) {
      LOG.error("No TLS with the app at {}", server.origin(), e);
      listener.failed(UpstreamFailure.TLS, false);
      return;
    }
    addresses.resolve(
        server.origin().host(), loop.executor(), found -> connect(listener, patience, context, found, 0));
  }

  private void connect(
      UpstreamListener listener, Patience patience, Optional<SslContext> context, List<InetAddress> found, int next) {
    if (found.isEmpty()) {
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
    connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            handshake(listener, connection, connecting.channel());
            return;
          }
          addresses.failed(found.get(next));
          if (next + 1 < found.size()) {
            connect(listener, patience, context, found, next + 1);
          } else {
            boolean slow = done.cause() instanceof ConnectTimeoutException;
            listener.failed(slow ? UpstreamFailure.TIMEOUT : UpstreamFailure.UNREACHABLE, false);
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
              } else {
                LOG.warn("No TLS with the app at {}: {}", server.origin(), String.valueOf(done.cause()));
                listener.failed(UpstreamFailure.TLS, false);
              }
            });
  }

  private static void start(UpstreamListener listener, UpstreamConnection connection) {
    connection.begin(listener, connection.patience(), false);
    listener.ready(connection);
  }

  /** The name that the certificate must have: the URL's, or the one that is configured in its place. */
  private SslHandler secure(SslContext context, Channel channel, Patience patience) {
    Origin origin = server.origin();
    String name = server.tls().serverName().orElse(origin.host());
    SslHandler handler = context.newHandler(channel.alloc(), name, origin.port());
    handler.setHandshakeTimeoutMillis(patience.tls().toMillis());
    return handler;
  }

  /** A connection that has done its work is kept, unless there are enough. */
  void release(UpstreamConnection connection) {
    if (server.isRetired() || !idle.offer(connection, connection.patience().idle())) {
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
