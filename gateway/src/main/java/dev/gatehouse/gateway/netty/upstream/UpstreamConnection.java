package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedResponse;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.ResponseParser;
import dev.gatehouse.gateway.netty.codec.BodyReader;
import dev.gatehouse.gateway.netty.codec.BodyWriter;
import dev.gatehouse.gateway.netty.codec.HeadReader;
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
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
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

  /** Interim heads before one response. */
  private static final int MAX_INTERIM = 16;

  private final UpstreamPool pool;
  private final ResponseParser parser;
  private final HeadReader heads;

  private @Nullable ChannelHandlerContext context;
  private @Nullable BodyWriter writer;
  private @Nullable UpstreamListener listener;
  private @Nullable ByteBuf input;
  private @Nullable ResponseHead head;
  private @Nullable BodyReader body;
  private boolean answersHead;
  private boolean reused;
  private boolean heard;
  private boolean requestDone;
  private boolean usedOnce;
  private boolean upgradable;
  private boolean clean;
  private boolean paused;
  private boolean evicted;
  private int interims;
  private long since = System.nanoTime();
  private long begun = since;
  private UpstreamTimeouts timeouts;

  UpstreamConnection(UpstreamPool pool, HeadLimits limits, UpstreamTimeouts timeouts) {
    this.pool = pool;
    this.timeouts = timeouts;
    this.heads = HeadReader.ofResponses(limits);
    this.parser = new ResponseParser(limits);
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
    listener = next;
    this.timeouts = timeouts;
    reused = wasIdle;
    heard = false;
    requestDone = false;
    interims = 0;
    head = null;
    body = null;
    since = now;
    begun = now;
    if (!wasIdle) {
      // Watched only from here on: connecting has its own deadlines, and a channel that never connected never becomes
      // inactive.
      pool.loop().watch(this);
    }
  }

  /**
   * Whether the connection may take a request now.
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
    upgradable = true;
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
    listener = null;
    pool.loop().forget(this);
    pool.gone(this);
    end.early(input);
    input = null;
    context().pipeline().replace(this, "tunnel", end);
  }

  public void writeHead(HeadBuffer request, boolean chunked, boolean isHead) {
    answersHead = isHead;
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
    return paused && body != null && listener != null ? now - since : 0;
  }

  boolean isTo(AppServer server) {
    return pool.server() == server;
  }

  /** How long the connection has worked on its request, in nanoseconds. */
  public long worked() {
    return since - begun;
  }

  /** Whether this node closed the connection for lack of memory or permits. */
  boolean isEvicted() {
    return evicted;
  }

  UpstreamTimeouts timeouts() {
    return timeouts;
  }

  /** Closes the connection before the end of its exchange: no one may get the rest of the response. */
  public void abandon() {
    listener = null;
    context().close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (listener == null) {
      // No request is active, so these bytes are not a response.
      clean = false;
      ReferenceCountUtil.release(message);
      ctx.close();
      return;
    }
    heard = true;
    since = System.nanoTime();
    ByteBuf in = (ByteBuf) message;
    input = input == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, in);
    process(ctx);
  }

  private void process(ChannelHandlerContext ctx) {
    while (input != null && listener != null) {
      if (body == null && !readHead(input)) {
        return;
      }
      if (body != null && readBody(body, input)) {
        finish(ctx);
        return;
      }
      if (input != null && !input.isReadable()) {
        input.release();
        input = null;
      }
    }
  }

  /** Whether a head was read. */
  private boolean readHead(ByteBuf in) {
    byte[] bytes = heads.read(in);
    if (heads.malformation() != null) {
      fail(UpstreamFailure.MALFORMED);
    }
    if (bytes == null) {
      return false;
    }
    switch (parser.parse(bytes, answersHead, upgradable)) {
      case ParsedResponse.Malformed bad -> {
        fail(UpstreamFailure.MALFORMED);
        return false;
      }
      case ResponseHead parsed -> {
        UpstreamListener to = listener;
        if (parsed.status() == 101) {
          if (to != null) {
            to.upgraded(parsed);
          }
          return false;
        }
        if (!parsed.isInterim()) {
          usedOnce |= !isSent();
          head = parsed;
          body = new BodyReader(parsed.framing());
        } else if (++interims > MAX_INTERIM) {
          fail(UpstreamFailure.MALFORMED);
          return false;
        }
        if (to != null) {
          to.head(parsed);
        }
        return true;
      }
    }
  }

  /**
   * Whether the app may have read the whole request. If it answers before that, unread bytes of the request might be
   * taken for the next request.
   */
  private boolean isSent() {
    ChannelOutboundBuffer waiting = context().channel().unsafe().outboundBuffer();
    return requestDone && (waiting == null || waiting.isEmpty());
  }

  /** Whether the body is complete. */
  private boolean readBody(BodyReader reader, ByteBuf in) {
    while (in.isReadable() && !reader.isDone()) {
      ByteBuf data = reader.read(in);
      UpstreamListener to = listener;
      if (reader.malformation() != null || to == null) {
        data.release();
        if (to != null) {
          listener = null;
          to.truncated();
        }
        context().close();
        return false;
      }
      if (data.isReadable()) {
        to.data(data);
      } else {
        data.release();
      }
    }
    return reader.isDone();
  }

  private void finish(ChannelHandlerContext ctx) {
    UpstreamListener to = listener;
    Fields trailers = body == null ? null : body.trailers();
    if (to != null && trailers != null) {
      to.trailers(trailers);
    }
    ResponseHead answered = head;
    boolean more = input != null && input.isReadable();
    releaseInput();
    listener = null;
    clean = !more && !usedOnce && requestDone && answered != null && answered.keepAlive();
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
    } else if (listener != null) {
      listener.pause();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    since = System.nanoTime();
    if (listener != null && ctx.channel().isWritable()) {
      listener.writable();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof OutOfMemoryError) {
      LOG.error("No memory for an app's connection", cause);
      evict();
      return;
    }
    // A reset does not complete a body, even if the body ends with the connection.
    BodyReader reader = body;
    UpstreamListener to = listener;
    if (to != null && reader != null && reader.endsWithConnection()) {
      listener = null;
      to.truncated();
    }
    if (!(cause instanceof IOException || cause instanceof DecoderException)) {
      LOG.error("An app's connection failed", cause);
    }
    ctx.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    pool.loop().forget(this);
    pool.gone(this);
    releaseInput();
    writer().discard();
    UpstreamListener to = listener;
    if (to == null) {
      return;
    }
    listener = null;
    if (body == null) {
      // A part of a head is a malformed response, not a closed idle connection.
      to.failed(heard ? UpstreamFailure.MALFORMED : UpstreamFailure.CLOSED, reused && !heard);
    } else if (body.endsWithConnection()) {
      to.end();
    } else {
      to.truncated();
    }
  }

  @Override
  public void check(long now) {
    UpstreamListener to = listener;
    if (to == null) {
      if (now - since > timeouts.keepAlive().toNanos()) {
        context().close();
      }
      return;
    }
    boolean waiting = !paused && (requestDone || !isWritable());
    Duration quiet = body == null ? timeouts.firstByte() : timeouts.betweenBytes();
    boolean tooLong = !timeouts.whole().isZero() && now - begun > timeouts.whole().toNanos();
    if (!tooLong && (!waiting || now - since <= quiet.toNanos())) {
      return;
    }
    if (body == null) {
      fail(UpstreamFailure.TIMEOUT);
    } else {
      listener = null;
      to.truncated();
      context().close();
    }
  }

  /** Bytes of a response that are welcome at the moment. */
  int readSize() {
    UpstreamListener to = listener;
    return to == null ? BoundedReceive.SMALL : to.readSize();
  }

  @Override
  public long held() {
    Channel channel = context().channel();
    return channel.isOpen() ? (input == null ? 0 : input.capacity()) + BufferRelief.pending(channel) : 0;
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
    UpstreamListener to = listener;
    listener = null;
    AbruptEnd.close(context().channel());
    if (to != null && body == null) {
      to.failed(UpstreamFailure.BUSY, false);
    } else if (to != null) {
      to.evicted();
    }
  }

  /** Closes an idle connection; an active one ends with its exchange. */
  @Override
  public void drain() {
    if (listener == null) {
      context().close();
    }
  }

  private void fail(UpstreamFailure failure) {
    UpstreamListener to = listener;
    listener = null;
    context().close();
    if (to != null) {
      to.failed(failure, false);
    }
  }

  private void releaseInput() {
    if (input != null) {
      input.release();
      input = null;
    }
  }

  private ChannelHandlerContext context() {
    return java.util.Objects.requireNonNull(context);
  }

  private BodyWriter writer() {
    return java.util.Objects.requireNonNull(writer);
  }
}
