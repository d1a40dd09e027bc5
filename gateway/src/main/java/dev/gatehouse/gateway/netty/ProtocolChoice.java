package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.gateway.exchange.Exchanges;
import dev.gatehouse.gateway.netty.http1.Http1Connection;
import dev.gatehouse.gateway.netty.http2.Http2ClientConnection;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.route.ClientConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first HTTP handler of every client connection; it finds out the HTTP version and replaces itself. With TLS the
 * result of ALPN counts (RFC 7301); in clear text a connection that begins with the HTTP/2 preface is HTTP/2 (RFC 9113,
 * section 3.3).
 */
final class ProtocolChoice extends ChannelInboundHandlerAdapter implements WatchedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(ProtocolChoice.class);

  /** The HTTP/2 preface; no HTTP/1.1 request begins with it. */
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Exchanges exchanges;
  private final GatewayEventLoop loop;
  private final ClientConnection client;

  private @Nullable ChannelHandlerContext context;
  private @Nullable ByteBuf input;
  private long since = System.nanoTime();

  ProtocolChoice(Exchanges exchanges, ClientConnection client) {
    this.exchanges = exchanges;
    this.loop = exchanges.loop();
    this.client = client;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    loop.watch(this);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
      SslHandler tls = ctx.pipeline().get(SslHandler.class);
      choose(ctx, tls != null && ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol()));
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (input == null) {
      since = System.nanoTime();
      input = in;
    } else {
      input = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, in);
    }
    int same = samePrefix(input);
    if (same == PREFACE.length) {
      choose(ctx, true);
    } else if (same < input.readableBytes()) {
      choose(ctx, false);
    }
  }

  /** The number of leading bytes that equal the preface. */
  private static int samePrefix(ByteBuf in) {
    int count = Math.min(in.readableBytes(), PREFACE.length);
    for (int i = 0; i < count; i++) {
      if (in.getByte(in.readerIndex() + i) != PREFACE[i]) {
        return i;
      }
    }
    return count;
  }

  private void choose(ChannelHandlerContext ctx, boolean http2) {
    loop.forget(this);
    ChannelHandler handler =
        http2
            ? Http2ClientConnection.create(exchanges, client)
            : new Http1Connection(exchanges, client);
    ctx.pipeline().addLast(handler);
    ByteBuf arrived = input;
    input = null;
    if (arrived != null) {
      ctx.fireChannelRead(arrived);
    }
    ctx.pipeline().remove(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.forget(this);
    if (input != null) {
      input.release();
      input = null;
    }
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
  public void check(long now) {
    NodeLimits limits = exchanges.services().limits();
    long limit = (input == null ? limits.times().idle() : limits.times().head()).toNanos();
    if (now - since > limit && context != null) {
      context.close();
    }
  }

  @Override
  public void drain() {
    if (context != null) {
      context.close();
    }
  }
}
