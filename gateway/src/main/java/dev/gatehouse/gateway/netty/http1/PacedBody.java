package dev.gatehouse.gateway.netty.http1;

import dev.gatehouse.gateway.netty.codec.BodyWriter;
import dev.gatehouse.gateway.netty.loop.BoundedReceive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Writes a large complete body in parts, as the client reads them. This is for bodies that need direct memory of their
 * own once they are written, because they are encrypted or copied from the heap.
 */
final class PacedBody {

  private static final int PART = 32 * 1024;

  private final Channel channel;
  private final BodyWriter writer;
  private final boolean encrypted;
  private @Nullable ByteBuf left;
  private boolean sending;

  PacedBody(Channel channel, BodyWriter writer, boolean encrypted) {
    this.channel = channel;
    this.writer = writer;
    this.encrypted = encrypted;
  }

  /**
   * Returns whether a body of that size is written in parts.
   *
   * @param direct whether it lies outside the heap
   */
  boolean isFor(int size, boolean direct) {
    return size > BoundedReceive.USUAL && (encrypted || !direct);
  }

  /** Returns whether everything was written. */
  boolean isEmpty() {
    return left == null;
  }

  /** Takes a part of a body if it must be written in parts, or if another one is still being written. */
  boolean take(ByteBuf data) {
    ByteBuf before = left;
    if (before == null && !isFor(data.readableBytes(), data.isDirect())) {
      return false;
    }
    left = before == null ? data : Unpooled.wrappedBuffer(before, data);
    send();
    return true;
  }

  /** Writes as much as the channel takes; returns true if this completed the body. */
  boolean send() {
    ByteBuf body = left;
    if (body == null || sending) {
      // The outer call, which is writing, notices that the channel is writable again.
      return false;
    }
    sending = true;
    try {
      while (body.isReadable() && channel.isWritable()) {
        writer.data(body.readRetainedSlice(Math.min(PART, body.readableBytes())));
        if (!channel.isWritable()) {
          writer.flush();
        }
      }
    } finally {
      sending = false;
    }
    if (left == null || body.isReadable()) {
      return false;
    }
    release();
    return true;
  }

  /** Releases the parts that were not written. */
  void release() {
    ByteBuf body = left;
    left = null;
    if (body != null) {
      body.release();
    }
  }
}
