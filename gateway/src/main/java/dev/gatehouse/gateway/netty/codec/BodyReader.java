package dev.gatehouse.gateway.netty.codec;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.ChunkedBody;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Extracts the data of a body from the received bytes, by its framing. */
public final class BodyReader {

  private final @Nullable ChunkedBody chunked;
  private final boolean untilClose;
  private long remaining;
  private @Nullable Malformation malformation;

  public BodyReader(BodyFraming framing) {
    this.chunked = framing instanceof BodyFraming.Chunked ? new ChunkedBody() : null;
    this.untilClose = framing instanceof BodyFraming.UntilClose;
    this.remaining = framing instanceof BodyFraming.Length(long bytes) ? bytes : 0;
  }

  public boolean isDone() {
    return chunked != null ? chunked.isDone() : !untilClose && remaining == 0;
  }

  /** Returns whether the body ends when the connection closes. */
  public boolean endsWithConnection() {
    return untilClose;
  }

  /** The trailer fields of a complete body; null if there are none. */
  public @Nullable Fields trailers() {
    return chunked == null ? null : chunked.trailers();
  }

  /** The defect of the framing; null as long as there is none. */
  public @Nullable Malformation malformation() {
    return malformation;
  }

  /** The next part, which the caller must release; empty if no data has arrived, only framing. Does not copy. */
  public ByteBuf read(ByteBuf in) {
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
