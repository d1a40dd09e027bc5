package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.LingeringClose;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connection above the limit. Its first bytes are answered in the HTTP version that they use, with 503 and
 * Retry-After or with GOAWAY (RFC 9113, section 6.8), and it is closed. Only a limited number are answered at a time;
 * further ones are closed at once.
 */
final class ExcessConnection extends ChannelInboundHandlerAdapter implements WatchedConnection {

  private static final int MAX = 256;

  private static final long FIRST_BYTES = Duration.ofSeconds(5).toNanos();
  private static final long LINGER = Duration.ofSeconds(1).toNanos();
  private static final String TEXT = "Too many connections. Please try again in a moment.\n";
  private static final String RESPONSE =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=UTF-8\r\nCache-Control: no-store\r\n"
          + "Retry-After: 5\r\nConnection: close\r\nContent-Length: " + TEXT.length() + "\r\n\r\n" + TEXT;

  private final GatewayEventLoop loop;
  private @Nullable ChannelHandlerContext context;
  private long deadline = System.nanoTime() + FIRST_BYTES;
  private boolean answered;

  private ExcessConnection(GatewayEventLoop loop) {
    this.loop = loop;
  }

  /**
   * The handler for one more excess connection; empty if too many are being answered.
   *
   * @param open counts excess connections until their channels close
   * @param allowed the configured limit of connections
   */
  static Optional<ExcessConnection> of(Channel channel, GatewayEventLoop loop, AtomicInteger open, int allowed) {
    // Excess connections use file descriptors as well, which are scarce if few connections are allowed.
    if (open.incrementAndGet() > most(allowed)) {
      open.decrementAndGet();
      return Optional.empty();
    }
    // This must not wait until the handler is added: if TLS fails before it, it is never added.
    channel.closeFuture().addListener(closed -> open.decrementAndGet());
    return Optional.of(new ExcessConnection(loop));
  }

  /** The maximum number of excess connections that are answered at the same time, for a number of allowed ones. */
  static int most(int allowed) {
    return Math.clamp(allowed / 4, 1, MAX);
  }

  /** The maximum number of accepted connections: a few more than are answered; those are closed at once. */
  static int accepted(int allowed) {
    return allowed + most(allowed) + Math.max(1, most(allowed) / 2);
  }

  /** Returns the number of allowed connections, given the number of all connections including excess ones. */
  static int without(int all) {
    return Math.max(all / 5 * 4, all - MAX);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    loop.watch(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    boolean http2 = in.readableBytes() >= 4 && in.toString(in.readerIndex(), 4, StandardCharsets.US_ASCII).equals("PRI ");
    in.release();
    if (!answered) {
      answered = true;
      deadline = System.nanoTime() + LINGER;
      ctx.write(http2 ? goAway(ctx) : ByteBufUtil.writeAscii(ctx.alloc(), RESPONSE), ctx.voidPromise());
      LingeringClose.endOutput(ctx.channel());
    }
  }

  /**
   * An empty SETTINGS frame, as the server's preface requires, and GOAWAY, which says that no stream was or will be
   * processed.
   */
  private static ByteBuf goAway(ChannelHandlerContext ctx) {
    byte[] why = TEXT.strip().getBytes(StandardCharsets.US_ASCII);
    ByteBuf out = ctx.alloc().buffer(64 + why.length);
    out.writeMedium(0).writeByte(4).writeByte(0).writeInt(0);
    out.writeMedium(8 + why.length).writeByte(7).writeByte(0).writeInt(0);
    return out.writeInt(0).writeInt((int) Http2Error.ENHANCE_YOUR_CALM.code()).writeBytes(why);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.forget(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }

  @Override
  public void check(long now) {
    if (now - deadline > 0) {
      close();
    }
  }

  @Override
  public void drain() {
    close();
  }

  private void close() {
    if (context != null) {
      context.close();
    }
  }
}
