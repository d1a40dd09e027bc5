package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.netty.codec.BodyWriter;
import dev.gatehouse.gateway.netty.loop.AbruptEnd;
import dev.gatehouse.gateway.netty.loop.BoundedReceive;
import dev.gatehouse.gateway.netty.loop.BufferRelief;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.netty.websocket.TunnelEnd;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to an app; serves one request at a time. It returns to the pool only if the request was sent
 * completely, the response was read completely, and no further byte has arrived.
 */
public final class UpstreamConnection extends ChannelInboundHandlerAdapter implements WatchedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamConnection.class);

  private final UpstreamPool pool;
  private final ResponseReader responses;

  private @Nullable ChannelHandlerContext context;
  private @Nullable BodyWriter writer;
  private boolean reused;
  private boolean requestDone;
  private boolean usedOnce;
  private boolean clean;
  private boolean paused;
  private boolean evicted;
  private long since = System.nanoTime();
  private long begun = since;
  private UpstreamTimeouts timeouts;

  UpstreamConnection(UpstreamPool pool, HeadLimits limits, UpstreamTimeouts timeouts) {
    this.pool = pool;
    this.timeouts = timeouts;
    this.responses = new ResponseReader(limits, this::isSent);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    writer = new BodyWriter(ctx);
  }

  /**
   * Begins a request.
   *
   * @param now as of {@link System#nanoTime()}
   */
  void begin(UpstreamListener next, UpstreamTimeouts timeouts, boolean wasIdle, long now) {
    responses.begin(next);
    this.timeouts = timeouts;
    reused = wasIdle;
    requestDone = false;
    since = now;
    begun = now;
    if (!wasIdle) {
      // Watched only from here on: connecting has its own deadlines, and a channel that never connected never becomes
      // inactive.
      pool.loop().watch(this);
    }
  }

  /**
   * Returns whether the connection may take a request now.
   *
   * @param longestIdle in nanoseconds
   */
  boolean isUsable(long longestIdle, long now) {
    return context().channel().isActive() && now - since < longestIdle;
  }

  /** Marks the connection to be closed after this request. */
  public void useOnce() {
    usedOnce = true;
  }

  /** Marks the request as one for another protocol: a 101 leads to {@link UpstreamListener#upgraded}. */
  public void mayUpgrade() {
    usedOnce = true;
    responses.mayUpgrade();
  }

  /** Calls back when the connection is closed, even if a tunnel has taken it over. */
  public void whenClosed(Runnable listener) {
    context().channel().closeFuture().addListener(closed -> listener.run());
  }

  /**
   * Hands the channel over to a tunnel's end, with the bytes read after the head; the pool no longer counts the
   * connection.
   */
  public void detach(TunnelEnd end) {
    pool.loop().forget(this);
    pool.gone(this);
    end.early(responses.detach());
    context().pipeline().replace(this, "tunnel", end);
  }

  public void writeHead(HeadBuffer request, boolean chunked, boolean isHead) {
    responses.answersHead(isHead);
    writer().head(request, chunked);
  }

  public void writeData(ByteBuf data) {
    since = System.nanoTime();
    writer().data(data);
  }

  /** Ends a request that has no body. */
  public void writeNoBody() {
    requestDone = true;
    writer().end();
  }

  public void writeTrailers(HeadBuffer fields) {
    writer().trailers(fields);
  }

  public void writeEnd() {
    requestDone = true;
    since = System.nanoTime();
    writer().end();
  }

  public void flush() {
    writer().flush();
  }

  public boolean isWritable() {
    return context().channel().isWritable();
  }

  /** Pauses or resumes reading, as the client's connection fills up or drains. */
  public void pauseReading(boolean stop) {
    if (paused != stop) {
      paused = stop;
      since = System.nanoTime();
      context().channel().config().setAutoRead(!stop);
    }
  }

  /** Nanoseconds for which the client has not read anything of the response; 0 if it reads. */
  long stalled(long now) {
    return paused && responses.hasBegun() && responses.listener() != null ? now - since : 0;
  }

  boolean isTo(AppServer server) {
    return pool.server() == server;
  }

  /** How long the connection has worked on its request, in nanoseconds. */
  public long worked() {
    return since - begun;
  }

  /** Returns whether this node closed the connection for lack of memory or permits. */
  boolean isEvicted() {
    return evicted;
  }

  UpstreamTimeouts timeouts() {
    return timeouts;
  }

  /** Closes the connection before the end of its exchange: no one may get the rest of the response. */
  public void abandon() {
    responses.forget();
    context().close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (responses.listener() == null) {
      // No request is active, so these bytes are not a response.
      clean = false;
      ReferenceCountUtil.release(message);
      ctx.close();
      return;
    }
    since = System.nanoTime();
    if (responses.read(ctx, (ByteBuf) message)) {
      finish(ctx);
    }
  }

  /**
   * Returns whether the app may have read the whole request. If it answers before that, unread bytes of the request might be
   * taken for the next request.
   */
  private boolean isSent() {
    ChannelOutboundBuffer waiting = context().channel().unsafe().outboundBuffer();
    return requestDone && (waiting == null || waiting.isEmpty());
  }

  private void finish(ChannelHandlerContext ctx) {
    clean = responses.finish() && !usedOnce && requestDone;
    UpstreamListener to = responses.forget();
    if (clean) {
      pauseReading(false);
    } else {
      ctx.close();
    }
    if (to != null) {
      to.end();
    }
  }

  /** Only here it is certain that nothing has arrived after the response, so the next request may be sent. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (clean && ctx.channel().isActive()) {
      clean = false;
      pool.release(this);
      return;
    }
    UpstreamListener to = responses.listener();
    if (to != null) {
      to.pause();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    since = System.nanoTime();
    UpstreamListener to = responses.listener();
    if (to != null && ctx.channel().isWritable()) {
      to.writable();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof OutOfMemoryError) {
      LOG.error("No memory for an app's connection", cause);
      evict();
      return;
    }
    responses.reset();
    if (!(cause instanceof IOException || cause instanceof DecoderException)) {
      LOG.error("An app's connection failed", cause);
    }
    ctx.close();
  }

  /**
   * Comes before {@link #channelInactive}. Without the app's close_notify the end of the connection completes no body: anybody on the way
   * may have cut it off (RFC 9112, section 9.8).
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslCloseCompletionEvent closed && !closed.isSuccess()) {
      responses.reset();
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    pool.loop().forget(this);
    pool.gone(this);
    writer().discard();
    responses.closed(reused);
  }

  @Override
  public void check(long now) {
    if (responses.listener() == null) {
      if (now - since > timeouts.keepAlive().toNanos()) {
        context().close();
      }
      return;
    }
    boolean waiting = !paused && (requestDone || !isWritable());
    Duration quiet = responses.hasBegun() ? timeouts.betweenBytes() : timeouts.firstByte();
    boolean tooLong = !timeouts.whole().isZero() && now - begun > timeouts.whole().toNanos();
    if (tooLong || waiting && now - since > quiet.toNanos()) {
      responses.fail(context(), UpstreamFailure.TIMEOUT);
    }
  }

  /** Bytes of a response that are welcome at the moment. */
  int readSize() {
    UpstreamListener to = responses.listener();
    return to == null ? BoundedReceive.SMALL : to.readSize();
  }

  @Override
  public long held() {
    Channel channel = context().channel();
    return channel.isOpen() ? responses.held() + BufferRelief.pending(channel) : 0;
  }

  @Override
  public void tighten(boolean tight) {
    BufferRelief.mark(context().channel(), tight, BoundedReceive.USUAL);
  }

  /**
   * Closes the connection because its memory or its permit is needed elsewhere; this does not count as a failure of the
   * server.
   */
  @Override
  public void evict() {
    evicted = true;
    UpstreamListener to = responses.forget();
    AbruptEnd.close(context().channel());
    if (to != null && !responses.hasBegun()) {
      to.failed(UpstreamFailure.BUSY, false);
    } else if (to != null) {
      to.evicted();
    }
  }

  /** Closes an idle connection; an active one ends with its exchange. */
  @Override
  public void drain() {
    if (responses.listener() == null) {
      context().close();
    }
  }

  private ChannelHandlerContext context() {
    return java.util.Objects.requireNonNull(context);
  }

  private BodyWriter writer() {
    return java.util.Objects.requireNonNull(writer);
  }
}
