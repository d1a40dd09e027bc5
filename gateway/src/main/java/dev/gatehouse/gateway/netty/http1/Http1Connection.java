package dev.gatehouse.gateway.netty.http1;

import dev.gatehouse.gateway.exchange.Exchanges;
import dev.gatehouse.gateway.netty.loop.AbruptEnd;
import dev.gatehouse.gateway.netty.loop.BufferRelief;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.route.ClientConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/1.1 client connection: passes its channel's events to its stream, and keeps its deadlines and buffers within
 * their limits.
 */
public final class Http1Connection extends ChannelInboundHandlerAdapter implements WatchedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(Http1Connection.class);

  private final Exchanges exchanges;
  private final GatewayEventLoop loop;
  private final ClientConnection client;

  private @Nullable ChannelHandlerContext context;
  private @Nullable Http1ClientStream stream;

  public Http1Connection(Exchanges exchanges, ClientConnection client) {
    this.exchanges = exchanges;
    this.loop = exchanges.loop();
    this.client = client;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    stream = new Http1ClientStream(ctx, exchanges, client);
    tighten(loop.isTight());
    loop.watch(this);
  }

  /** Called also when a tunnel replaces this handler. */
  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    loop.forget(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    stream().reader().read((ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    stream().readComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    stream().writabilityChanged();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // A reset or a failed TLS handshake is caused by the client.
    if (!(cause instanceof IOException || cause instanceof DecoderException)) {
      LOG.error("A client's connection failed", cause);
    }
    ctx.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.forget(this);
    stream().closed();
  }

  @Override
  public void check(long now) {
    RequestReader requests = stream().reader();
    ResponseWriter responses = stream().writer();
    if (responses.isStuck(now, requests.isInBody())) {
      AbruptEnd.close(channel());
    } else if (!responses.checkLinger(now)) {
      requests.check(now, responses.hasUnread());
    }
  }

  @Override
  public long held() {
    return channel().isOpen() ? stream().reader().held() + BufferRelief.pending(channel()) : 0;
  }

  @Override
  public void tighten(boolean tight) {
    BufferRelief.mark(channel(), tight, exchanges.services().limits().flow().connectionBuffer() / 2);
  }

  @Override
  public void evict() {
    AbruptEnd.close(channel());
  }

  @Override
  public void drain() {
    stream().drain();
  }

  private Channel channel() {
    return java.util.Objects.requireNonNull(context).channel();
  }

  private Http1ClientStream stream() {
    return java.util.Objects.requireNonNull(stream);
  }
}
