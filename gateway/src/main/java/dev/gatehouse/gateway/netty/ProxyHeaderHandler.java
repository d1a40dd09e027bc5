package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.proxy.ProxyHeader;
import dev.gatehouse.common.proxy.ProxyHeaderReader;
import dev.gatehouse.common.proxy.ProxyRefusal;
import dev.gatehouse.common.proxy.ProxyRefusals;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.route.ClientConnection.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first handler of a connection of a trusted balancer: reads its PROXY header and makes place for TLS and HTTP. */
final class ProxyHeaderHandler extends ChannelInboundHandlerAdapter implements WatchedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyHeaderHandler.class);

  private final GatewayEventLoop loop;
  private final ProxyRefusals refusals;
  private final Peer balancer;
  private final Consumer<Peer> next;
  private final long since = System.nanoTime();
  private @Nullable ChannelHandlerContext context;
  private @Nullable ByteBuf input;

  /** @param next adds the next handlers, for the client that the header names */
  ProxyHeaderHandler(GatewayEventLoop loop, ProxyRefusals refusals, Peer balancer, Consumer<Peer> next) {
    this.loop = loop;
    this.refusals = refusals;
    this.balancer = balancer;
    this.next = next;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    loop.watch(this);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    loop.forget(this);
    release();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    ByteBuf arrived = input == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, in);
    input = arrived;
    switch (ProxyHeaderReader.read(arrived.nioBuffer())) {
      case ProxyHeader.Incomplete incomplete -> {}
      case ProxyHeader.Refused(ProxyRefusal refusal) -> refuse(ctx, refusal);
      case ProxyHeader.Own(int length) -> proceed(ctx, new Peer(balancer.address(), balancer.secure(), true), length);
      case ProxyHeader.Proxied(var client, boolean secure, int length) ->
          proceed(ctx, new Peer(client, secure || balancer.secure(), false), length);
    }
  }

  private void proceed(ChannelHandlerContext ctx, Peer peer, int length) {
    ByteBuf rest = java.util.Objects.requireNonNull(input).skipBytes(length);
    input = null;
    loop.forget(this);
    next.accept(peer);
    if (rest.isReadable()) {
      ctx.fireChannelRead(rest);
    } else {
      rest.release();
    }
    ctx.pipeline().remove(this);
  }

  private void refuse(ChannelHandlerContext ctx, ProxyRefusal refusal) {
    refusals.count(refusal, balancer.address(), ((InetSocketAddress) ctx.channel().localAddress()).getPort());
    loop.forget(this);
    release();
    ctx.close();
  }

  private void release() {
    ByteBuf held = input;
    input = null;
    if (held != null) {
      held.release();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.forget(this);
    release();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.error("A balancer's connection failed", cause);
    }
    ctx.close();
  }

  @Override
  public void check(long now) {
    ChannelHandlerContext ctx = context;
    if (ctx != null && now - since > ProxyHeaderReader.TIME.toNanos()) {
      refuse(ctx, ProxyRefusal.TOO_SLOW);
    }
  }

  @Override
  public void drain() {
    if (context != null) {
      context.close();
    }
  }
}
