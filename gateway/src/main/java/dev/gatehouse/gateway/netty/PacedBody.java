package dev.gatehouse.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * A large body that is there as a whole, but takes direct memory of its own once it is written, since it is encrypted or
 * copied from the heap: it is written in parts, as the client takes them.
 */
final class PacedBody {

  private static final int PART = 32 * 1024;

  private final Channel channel;
  private final ResponseWriter writer;
  private final boolean encrypted;
  private @Nullable ByteBuf left;
  private boolean sending;

  PacedBody(Channel channel, ResponseWriter writer, boolean encrypted) {
    this.channel = channel;
    this.writer = writer;
    this.encrypted = encrypted;
  }

  /** Whether a body of that size is to be written so. @param direct whether it lies outside the heap */
  boolean isFor(int size, boolean direct) {
    return size > BoundedReceive.USUAL && (encrypted || !direct);
  }

  /** Whether all was written. */
  boolean isEmpty() {
    return left == null;
  }

  /** Takes a part of a body if it is to be written so, or if another one is before it. */
  boolean take(ByteBuf data) {
    ByteBuf before = left;
    if (before == null && !isFor(data.readableBytes(), data.isDirect())) {
      return false;
    }
    left = before == null ? data : Unpooled.wrappedBuffer(before, data);
    send();
    return true;
  }

  /** Writes as much as the client takes; true where that was the last of it. */
  boolean send() {
    ByteBuf body = left;
    if (body == null || sending) {
      // What the client takes at once is seen by the call that is writing.
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

  /** Lets go of what was not written. */
  void release() {
    ByteBuf body = left;
    left = null;
    if (body != null) {
      body.release();
    }
  }
}
