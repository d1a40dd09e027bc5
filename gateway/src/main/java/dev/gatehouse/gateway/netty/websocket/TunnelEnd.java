package dev.gatehouse.gateway.netty.websocket;

import dev.gatehouse.gateway.netty.loop.AbruptEnd;
import dev.gatehouse.gateway.netty.loop.BufferRelief;
import dev.gatehouse.gateway.netty.loop.LingeringClose;
import dev.gatehouse.gateway.websocket.FrameCursor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One side of a {@link Tunnel}: passes what it reads to the other side, and reads no faster than that side takes it.
 */
public final class TunnelEnd extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(TunnelEnd.class);

  private final Tunnel tunnel;
  private final FrameCursor frames = new FrameCursor();
  private @Nullable ChannelHandlerContext context;
  private @Nullable TunnelEnd other;
  private @Nullable ByteBuf early;
  private long stalledSince;

  TunnelEnd(Tunnel tunnel) {
    this.tunnel = tunnel;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /** Takes the bytes that were read from this side before the tunnel began. */
  public void early(@Nullable ByteBuf bytes) {
    early = bytes;
  }

  /** Bytes that wait to be sent to this side. */
  long pending() {
    return BufferRelief.pending(context().channel());
  }

  void open(TunnelEnd to) {
    other = to;
    context().channel().config().setAutoRead(true);
    ByteBuf first = early;
    early = null;
    if (first != null) {
      pass(first);
      to.context().flush();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (tunnel.isEnded() || other == null) {
      ReferenceCountUtil.release(message);
      return;
    }
    pass((ByteBuf) message);
  }

  private void pass(ByteBuf data) {
    TunnelEnd to = other;
    if (to == null) {
      data.release();
      return;
    }
    tunnel.heard();
    for (ByteBuffer part : data.nioBuffers()) {
      frames.take(part);
    }
    ChannelHandlerContext out = to.context();
    out.write(data, out.channel().voidPromise());
    if (!out.channel().isWritable()) {
      out.flush();
      pauseWhile(out);
    }
  }

  private void pauseWhile(ChannelHandlerContext out) {
    if (!out.channel().isWritable()) {
      context().channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (other != null) {
      other.context().flush();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    stalledSince = System.nanoTime();
    TunnelEnd from = other;
    if (from != null && ctx.channel().isWritable()) {
      from.context().channel().config().setAutoRead(true);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    tunnel.closed(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException || cause instanceof DecoderException)) {
      LOG.error("A tunnel failed", cause);
    }
    ctx.close();
  }

  boolean isActive() {
    return context().channel().isActive();
  }

  boolean isStalled(long now, long limit) {
    return !context().channel().isWritable() && now - stalledSince > limit;
  }

  /** Returns whether the bytes from this side end with a complete frame. */
  boolean isBetweenFrames() {
    return frames.isBetweenFrames();
  }

  boolean hasSpoken() {
    return frames.hasSpoken();
  }

  /** Sends the last bytes and discards further input until the peer has closed. */
  void end(byte[] last) {
    context().channel().config().setAutoRead(true);
    context().writeAndFlush(Unpooled.wrappedBuffer(last));
    LingeringClose.endOutput(context().channel());
  }

  void closeAfterOutput() {
    context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  /** Closes at once: a peer that does not read would not read a close frame either. */
  void close() {
    AbruptEnd.close(context().channel());
  }

  private ChannelHandlerContext context() {
    return java.util.Objects.requireNonNull(context);
  }
}
