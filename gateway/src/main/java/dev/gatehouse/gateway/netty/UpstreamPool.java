package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.upstream.IdlePool;
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
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of one event loop to one app. */
final class UpstreamPool {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamPool.class);

  private final Loop loop;
  private final Origin origin;
  private final Engine engine;
  private final Addresses addresses;
  private final Optional<SslContext> tls;
  private final Limits limits;
  private final IdlePool<UpstreamConnection> idle;

  UpstreamPool(Loop loop, Origin origin, Engine engine, Addresses addresses, SslContext clientTls, Limits limits) {
    this.loop = loop;
    this.origin = origin;
    this.engine = engine;
    this.addresses = addresses;
    this.tls = origin.isSecure() ? Optional.of(clientTls) : Optional.empty();
    this.limits = limits;
    this.idle = new IdlePool<>(limits.upstreamConnections());
  }

  Loop loop() {
    return loop;
  }

  /**
   * Finds or opens a connection, and calls {@link UpstreamListener#ready} or {@link UpstreamListener#failed}.
   *
   * @param repeatable the request may be sent again, so that a connection is fine that the app may just be closing
   */
  void acquire(UpstreamListener listener, boolean repeatable) {
    long longestIdle = (repeatable ? limits.upstreamIdle() : limits.upstreamSafe()).toNanos();
    Optional<UpstreamConnection> kept = idle.take(connection -> connection.isUsable(longestIdle));
    if (kept.isPresent()) {
      kept.get().begin(listener, true);
      listener.ready(kept.get());
      return;
    }
    open(listener);
  }

  /** Opens a new connection. */
  void open(UpstreamListener listener) {
    addresses.resolve(origin.host(), loop.executor(), found -> connect(listener, found, 0));
  }

  private void connect(UpstreamListener listener, List<InetAddress> found, int next) {
    if (found.isEmpty()) {
      listener.failed(UpstreamFailure.UNREACHABLE, false);
      return;
    }
    UpstreamConnection connection = new UpstreamConnection(this, limits);
    ChannelFuture connecting =
        new Bootstrap()
            .group(loop.executor())
            .channel(engine.clientChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) limits.connect().toMillis())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    tls.ifPresent(context -> channel.pipeline().addLast(secure(context, channel)));
                    channel.pipeline().addLast(connection);
                  }
                })
            .connect(new InetSocketAddress(found.get(next), origin.port()));
    connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            handshake(listener, connection, connecting.channel());
          } else if (next + 1 < found.size()) {
            connect(listener, found, next + 1);
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
                LOG.warn("No TLS with the app at {}: {}", origin, String.valueOf(done.cause()));
                listener.failed(UpstreamFailure.TLS, false);
              }
            });
  }

  private static void start(UpstreamListener listener, UpstreamConnection connection) {
    connection.begin(listener, false);
    listener.ready(connection);
  }

  private SslHandler secure(SslContext context, Channel channel) {
    SslHandler handler = context.newHandler(channel.alloc(), origin.host(), origin.port());
    handler.setHandshakeTimeoutMillis(limits.connect().toMillis());
    return handler;
  }

  /** A connection that has done its work is kept, unless there are enough. */
  void release(UpstreamConnection connection) {
    if (!idle.offer(connection)) {
      connection.abandon();
    }
  }

  void gone(UpstreamConnection connection) {
    idle.remove(connection);
  }
}
