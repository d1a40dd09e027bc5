package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.gateway.cache.CachedBody;
import dev.gatehouse.gateway.netty.loop.MinimumRate;
import dev.gatehouse.gateway.netty.loop.UnreadBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes one response to an HTTP/2 stream. Holds back the head and the last part of the body until the next part is
 * known, so that END_STREAM is set on a frame that must be sent anyway. Tracks how many bytes wait for the client.
 */
final class Http2ResponseWriter {

  /** Bytes that may wait before the app's response is paused. */
  private static final int HIGH = 64 * 1024;

  private static final int LOW = 16 * 1024;

  private final Http2ClientConnection connection;
  private final Http2Stream stream;
  private final Runnable writable;
  private final MinimumRate readingRate;
  private final UnreadBody storedBody;

  private @Nullable Http2Headers heldHead;
  private @Nullable ByteBuf heldData;
  private boolean blocked;
  private boolean ended;
  private int waiting;
  private boolean uncounted;

  /** @param writable called when more data is welcome again */
  Http2ResponseWriter(Http2ClientConnection connection, Http2Stream stream, Runnable writable) {
    this.connection = connection;
    this.stream = stream;
    this.writable = writable;
    this.readingRate = new MinimumRate(connection.streams().readingRate());
    this.storedBody = new UnreadBody(connection.loop(), connection::evict);
  }

  /** The data that follow belong to that body. */
  void shares(CachedBody body) {
    storedBody.of(body);
  }

  /** The following data are a whole stored response: all clients share it, so that what waits of it does not count for this one. */
  void uncounted() {
    uncounted = true;
  }

  /** Called a few times a second: a stored body that waits now is unread. */
  void check() {
    if (waiting > 0) {
      storedBody.waits();
    }
  }

  private void waits(int bytes, long now) {
    waiting += bytes;
    if (!uncounted) {
      connection.streams().unread(bytes, now);
    }
  }

  /** Returns whether the stream is far enough behind, all streams together are, or the client's window is used up. */
  private boolean isFull() {
    return waiting >= HIGH || connection.isCrowded() || !connection.streams().mayReceive(stream);
  }

  void interim(Http2Headers head) {
    writeHeaders(head, false);
    connection.flushSoon();
  }

  void head(Http2Headers head) {
    heldHead = head;
  }

  void data(ByteBuf data) {
    if (!data.isReadable()) {
      data.release();
      return;
    }
    writeHeld();
    long now = System.nanoTime();
    if (waiting == 0) {
      readingRate.restart(now);
    }
    waits(data.readableBytes(), now);
    blocked |= isFull();
    heldData = data;
  }

  void flush() {
    writeHeld();
    connection.flushSoon();
  }

  /**
   * Ends the response, with trailers unless null.
   *
   * @return completed when the response was sent completely
   */
  ChannelFuture end(@Nullable Http2Headers trailers) {
    ended = true;
    Http2Headers head = heldHead;
    ByteBuf data = heldData;
    heldData = null;
    ChannelFuture sent;
    if (head != null && data == null && trailers == null) {
      heldHead = null;
      sent = writeHeaders(head, true);
    } else {
      writeHeldHead();
      if (trailers == null) {
        sent = writeData(data == null ? Unpooled.EMPTY_BUFFER : data, true);
      } else {
        if (data != null) {
          writeData(data, false);
        }
        sent = writeHeaders(trailers, true);
      }
    }
    connection.flushSoon();
    return sent;
  }

  /** Bytes that wait for the client. */
  int waiting() {
    return waiting;
  }

  boolean isWritable() {
    return !blocked;
  }

  /** Returns whether the whole response was written. */
  boolean isEnded() {
    return ended;
  }

  /** Returns whether the client reads below the minimum rate. */
  boolean isStuck(long now) {
    return waiting > 0 && readingRate.isOver(now);
  }

  /** Releases the held head and data. */
  void discard() {
    heldHead = null;
    if (heldData != null) {
      waits(-heldData.readableBytes(), System.nanoTime());
      heldData.release();
      heldData = null;
    }
    if (waiting > 0) {
      // Parts that were passed to the connection go on waiting there.
      storedBody.waits();
    } else {
      storedBody.taken();
    }
  }

  private void writeHeld() {
    writeHeldHead();
    ByteBuf data = heldData;
    if (data != null) {
      heldData = null;
      writeData(data, false);
    }
  }

  private void writeHeldHead() {
    Http2Headers head = heldHead;
    if (head != null) {
      heldHead = null;
      writeHeaders(head, false);
    }
  }

  private ChannelFuture writeHeaders(Http2Headers head, boolean last) {
    ChannelHandlerContext ctx = connection.context();
    return connection.encoder().writeHeaders(ctx, stream.id(), head, 0, last, ctx.newPromise());
  }

  private ChannelFuture writeData(ByteBuf data, boolean last) {
    ChannelHandlerContext ctx = connection.context();
    int bytes = data.readableBytes();
    connection.floods().earn(2 + bytes / 2048);
    ChannelPromise promise = ctx.newPromise();
    if (bytes > 0) {
      promise.addListener(done -> sent(bytes));
    }
    return connection.encoder().writeData(ctx, stream.id(), data, 0, last, promise);
  }

  private void sent(int bytes) {
    long now = System.nanoTime();
    waits(-bytes, now);
    readingRate.arrived(bytes, now);
    if (waiting == 0) {
      storedBody.taken();
    }
    if (blocked && (waiting == 0 || waiting <= LOW && !isFull())) {
      blocked = false;
      writable.run();
    }
  }
}
