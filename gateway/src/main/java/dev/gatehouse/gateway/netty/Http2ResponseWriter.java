package dev.gatehouse.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes one response to an HTTP/2 stream. The head and the last part of the body are held back until what follows is
 * known, so that the frame that ends the stream is one that had to be sent anyway. Knows how many bytes wait for the
 * client to take them.
 */
final class Http2ResponseWriter {

  /** Bytes that may wait before the app is asked to pause. */
  private static final int HIGH = 64 * 1024;

  private static final int LOW = 16 * 1024;

  private final Http2ClientConnection connection;
  private final Http2Stream stream;
  private final Runnable writable;
  private final MinimumRate taking;

  private @Nullable Http2Headers heldHead;
  private @Nullable ByteBuf heldData;
  private boolean blocked;
  private boolean ended;
  private int waiting;
  private boolean shared;

  /** @param writable called where more is welcome again */
  Http2ResponseWriter(Http2ClientConnection connection, Http2Stream stream, Runnable writable) {
    this.connection = connection;
    this.stream = stream;
    this.writable = writable;
    this.taking = new MinimumRate(connection.taking());
  }

  /** What follows is a kept response: it is everybody's, and costs nothing to wait. */
  void share() {
    shared = true;
  }

  private void waits(int bytes, long now) {
    waiting += bytes;
    if (!shared) {
      connection.waits(bytes, now);
    }
  }

  /** The client cannot take any of it now, or all its streams together are far enough behind. */
  private boolean isFull() {
    return waiting >= HIGH || connection.isCrowded() || !connection.mayReceive(stream);
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
      taking.restart(now);
    }
    waits(data.readableBytes(), now);
    blocked |= isFull();
    heldData = data;
  }

  void flush() {
    writeHeld();
    connection.flushSoon();
  }

  /** Ends the response, with trailers where there are any; says when all of it was sent. */
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

  /** Whether all was written. */
  boolean isEnded() {
    return ended;
  }

  /** Whether the client takes what waits for it slower than anybody may. */
  boolean isStuck(long now) {
    return waiting > 0 && taking.isOver(now);
  }

  /** Lets go of what was held. */
  void discard() {
    heldHead = null;
    if (heldData != null) {
      waits(-heldData.readableBytes(), System.nanoTime());
      heldData.release();
      heldData = null;
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
    taking.arrived(bytes, now);
    if (blocked && (waiting == 0 || waiting <= LOW && !isFull())) {
      blocked = false;
      writable.run();
    }
  }
}
