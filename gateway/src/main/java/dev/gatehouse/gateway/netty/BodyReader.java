package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.ChunkedBody;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Takes a body's data out of what arrives, by its framing. */
final class BodyReader {

  private final @Nullable ChunkedBody chunked;
  private final boolean untilClose;
  private long remaining;
  private @Nullable Malformation malformation;

  BodyReader(BodyFraming framing) {
    this.chunked = framing instanceof BodyFraming.Chunked ? new ChunkedBody() : null;
    this.untilClose = framing instanceof BodyFraming.UntilClose;
    this.remaining = framing instanceof BodyFraming.Length(long bytes) ? bytes : 0;
  }

  boolean isDone() {
    return chunked != null ? chunked.isDone() : !untilClose && remaining == 0;
  }

  /** Whether the connection's end is the body's end. */
  boolean endsWithConnection() {
    return untilClose;
  }

  /** The fields behind a body that is done; nothing where there are none. */
  @Nullable Fields trailers() {
    return chunked == null ? null : chunked.trailers();
  }

  /** What is wrong with the framing, once it is. */
  @Nullable Malformation malformation() {
    return malformation;
  }

  /** The next part, to be released by the caller; empty where only framing or nothing arrived. Does not copy. */
  ByteBuf read(ByteBuf in) {
    if (chunked != null) {
      return chunk(chunked, in);
    }
    if (untilClose) {
      return in.readRetainedSlice(in.readableBytes());
    }
    int count = (int) Math.min(remaining, in.readableBytes());
    remaining -= count;
    return in.readRetainedSlice(count);
  }

  private ByteBuf chunk(ChunkedBody body, ByteBuf in) {
    while (in.isReadable() && !body.isDone()) {
      if (body.data() > 0) {
        int count = (int) Math.min(body.data(), in.readableBytes());
        body.took(count);
        return in.readRetainedSlice(count);
      }
      if (!body.accept(in.readByte())) {
        malformation = body.malformation();
        return Unpooled.EMPTY_BUFFER;
      }
    }
    return Unpooled.EMPTY_BUFFER;
  }
}
