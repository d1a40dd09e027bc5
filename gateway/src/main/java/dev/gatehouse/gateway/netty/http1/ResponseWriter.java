package dev.gatehouse.gateway.netty.http1;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.cache.CachedBody;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.filter.ResponseFieldsFilter;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.codec.BodyWriter;
import dev.gatehouse.gateway.netty.codec.ResponseHeads;
import dev.gatehouse.gateway.netty.loop.AbruptEnd;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.LingeringClose;
import dev.gatehouse.gateway.netty.loop.MinimumRate;
import dev.gatehouse.gateway.netty.loop.UnreadBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.ssl.SslHandler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * Writes responses to one HTTP/1.1 client, watches how fast the client reads them, and ends the connection so that the
 * client can read the last one.
 */
final class ResponseWriter {

  private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

  private final ChannelHandlerContext context;
  private final GatewayEventLoop loop;
  private final BodyWriter writer;
  private final PacedBody pacedBody;
  private final MinimumRate readingRate;
  private final UnreadBody storedBody;
  private long unread;

  /** Whether the body that is being written ends with the connection. */
  private boolean endsWithConnection;

  /** When the last response was written, as of {@link System#nanoTime()}; 0 if there may be another one. */
  private long lingeringSince;

  /** @param readingRate how fast the client must read its responses */
  ResponseWriter(ChannelHandlerContext context, GatewayEventLoop loop, MinimumRate readingRate) {
    this.context = context;
    this.loop = loop;
    this.readingRate = readingRate;
    this.writer = new BodyWriter(context);
    this.pacedBody = new PacedBody(context.channel(), writer, context.pipeline().get(SslHandler.class) != null);
    this.storedBody = new UnreadBody(loop, () -> AbruptEnd.close(context.channel()));
  }

  void continue100() {
    context.writeAndFlush(ByteBufUtil.writeAscii(context.alloc(), "HTTP/1.1 100 Continue\r\n\r\n"));
  }

  void interim(ResponseHead response) {
    HeadBuffer out = loop.head();
    ResponseHeads.interim(response, out);
    writer.head(out, false);
    writer.flush();
  }

  void head(ResponseHead response, ResponseEdits edits, boolean oldClient, boolean close, String requestId) {
    HeadBuffer out = loop.head();
    boolean chunked = ResponseHeads.proxied(response, edits, oldClient, close, out);
    ResponseHeads.end(requestId, out);
    writer.head(out, chunked);
    // HTTP/1.0 has no chunks.
    endsWithConnection =
        oldClient && (response.framing() instanceof BodyFraming.Chunked || response.framing() instanceof BodyFraming.UntilClose);
    if (endsWithConnection) {
      // Whatever closes the connection before all was sent: only a reset shows that the body is incomplete.
      resetWhenClosed(true);
    }
  }

  private void resetWhenClosed(boolean reset) {
    if (context.channel().isActive()) {
      context.channel().config().setOption(ChannelOption.SO_LINGER, reset ? 0 : -1);
    }
  }

  /** Writes a complete stored response; its head is encoded once a second, without the request's id. */
  void stored(AgedResponse response, ResponseEdits edits, String requestId) {
    byte[] head = response.encoded(edits);
    if (head == null) {
      HeadBuffer out = loop.head();
      ResponseHeads.proxied(response.head(), edits, false, false, out);
      head = Arrays.copyOf(out.array(), out.length());
      response.encoded(edits, head);
    }
    HeadBuffer whole = loop.head().put(head);
    ResponseHeads.end(requestId, whole);
    writer.whole(whole, response.body());
  }

  /** The data that follow belong to that body. */
  void shares(CachedBody body) {
    storedBody.of(body);
  }

  /** The client has not taken the body at once. */
  void waits() {
    storedBody.waits();
  }

  /** Returns whether a complete body is written in parts, as the client reads it. */
  boolean writesInParts(ByteBuffer body) {
    return pacedBody.isFor(body.limit(), body.isDirect());
  }

  void data(ByteBuf data) {
    if (!pacedBody.take(data)) {
      writer.data(data);
    }
  }

  /** Returns whether a part of a body waits until the client has read the parts before it. */
  boolean hasPartsLeft() {
    return !pacedBody.isEmpty();
  }

  /** Writes as many parts as the channel takes; returns true if this completed the body. */
  boolean writeParts() {
    return pacedBody.send();
  }

  boolean isWritable() {
    return context.channel().isWritable() && pacedBody.isEmpty();
  }

  /** Restarts the time within which the client must read something. */
  void restartReadingRate(long now) {
    readingRate.restart(now);
  }

  /**
   * Returns whether the client reads its response below the minimum rate, including a body that was written at once.
   *
   * @param sending whether the client is sending a body: it may send its whole request before it reads, unless
   *     much of a response waits for it
   */
  boolean isStuck(long now, boolean sending) {
    ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
    long left = out == null ? 0 : out.totalPendingWriteBytes() - out.currentProgress();
    long taken = unread - left;
    unread = left;
    boolean waits = !isWritable() || left > 0 && !sending;
    if (!waits) {
      readingRate.restart(now);
    } else if (taken > 0) {
      readingRate.arrived((int) Math.min(taken, Integer.MAX_VALUE), now);
    }
    return waits && readingRate.isOver(now);
  }

  /** Returns whether the client had something to read at the last call of {@link #isStuck}. */
  boolean hasUnread() {
    return unread > 0;
  }

  void trailers(Fields trailers) {
    HeadBuffer out = loop.head();
    ResponseFieldsFilter.writeTrailers(trailers, out);
    if (out.length() > 0) {
      writer.trailers(out);
    }
  }

  void end() {
    writer.end();
  }

  void reply(EdgeReply reply, boolean answersHead, boolean close, String requestId) {
    HeadBuffer out = loop.head();
    ResponseHeads.own(reply, loop.date(), close, out);
    ResponseHeads.end(requestId, out);
    writer.head(out, false);
    if (!answersHead && ResponseHeads.mayHaveBody(reply.status())) {
      writer.data(Unpooled.wrappedBuffer(reply.body()));
    }
    writer.end();
  }

  void flush() {
    writer.flush();
  }

  /** Sends a response that was written completely. A stored body is unread until all that waits now was sent, or the client has left. */
  void finish() {
    writer.flush();
    if (!storedBody.isSet()) {
      return;
    }
    ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
    if (out == null || out.totalPendingWriteBytes() == 0) {
      storedBody.taken();
    } else {
      Runnable taken = storedBody.waitsBehind();
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> taken.run());
    }
  }

  /** Releases the parts that were not written. */
  void discard() {
    writer.discard();
    pacedBody.release();
    storedBody.taken();
  }

  /** Closes the connection within a response. */
  void abort() {
    pacedBody.release();
    storedBody.taken();
    writer.flush();
    context.close();
  }

  /**
   * Closes the connection after everything was written.
   *
   * @param sending whether the client may still be sending: the receiving side is then left open for a while
   */
  void close(boolean sending) {
    finish();
    if (endsWithConnection) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> resetWhenClosed(!sent.isSuccess()));
    }
    if (sending) {
      LingeringClose.endOutput(context.channel());
    } else {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
    lingeringSince = System.nanoTime();
    readingRate.restart(lingeringSince);
  }

  /** Returns whether the last response was written. Closes the connection if the client does not, once it has read everything. */
  boolean checkLinger(long now) {
    if (lingeringSince == 0) {
      return false;
    }
    if (unread > 0) {
      lingeringSince = now;
    } else if (now - lingeringSince > LINGER_NANOS) {
      context.close();
    }
    return true;
  }

  /** Writes the 101 after which the connection no longer carries HTTP. */
  void switchProtocols(ResponseHead response, ResponseEdits edits, String requestId) {
    HeadBuffer out = loop.head();
    ResponseHeads.switching(response, edits, out);
    ResponseHeads.end(requestId, out);
    writer.head(out, false);
    writer.flush();
  }
}
