package dev.gatehouse.gateway.netty.codec;

import dev.gatehouse.gateway.message.HeadBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes one message to a connection. The head is held back until the first part of the body or the end arrives, so
 * that a small message is one buffer and one write. Writes chunks if the message is chunked.
 */
public final class BodyWriter {

  private static final int BODY_SPACE = 2048;
  private static final ByteBuf END =
      Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
          .asReadOnly();
  private static final ByteBuf CHUNK_END =
      Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII)))
          .asReadOnly();
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final ChannelHandlerContext context;
  private @Nullable ByteBuf held;
  private boolean chunked;
  private byte @Nullable [] trailers;

  public BodyWriter(ChannelHandlerContext context) {
    this.context = context;
  }

  /** Begins a message. */
  public void head(HeadBuffer head, boolean chunkedBody) {
    writeHeld();
    ByteBuf buffer = context.alloc().directBuffer(head.length() + BODY_SPACE);
    buffer.writeBytes(head.array(), 0, head.length());
    held = buffer;
    trailers = null;
    chunked = chunkedBody;
  }

  /**
   * Writes a complete message.
   *
   * @param body shared with other responses, only read
   */
  public void whole(HeadBuffer head, ByteBuffer body) {
    writeHeld();
    chunked = false;
    boolean small = body.limit() <= BODY_SPACE;
    ByteBuf buffer = context.alloc().directBuffer(small ? head.length() + body.limit() : head.length());
    buffer.writeBytes(head.array(), 0, head.length());
    if (small) {
      buffer.writeBytes(body.duplicate());
      write(buffer);
    } else {
      write(buffer);
      write(Unpooled.wrappedBuffer(body));
    }
  }

  /** Writes and releases a part of the body. */
  public void data(ByteBuf data) {
    if (!data.isReadable()) {
      data.release();
      return;
    }
    if (chunked) {
      ByteBuf size = held == null ? context.alloc().directBuffer(16) : held;
      held = size;
      writeHex(size, data.readableBytes());
    }
    ByteBuf head = held;
    if (head != null && head.writableBytes() >= data.readableBytes() + 2) {
      head.writeBytes(data);
      data.release();
      if (chunked) {
        head.writeShort('\r' << 8 | '\n');
      }
      return;
    }
    writeHeld();
    write(data);
    if (chunked) {
      write(CHUNK_END.duplicate());
    }
  }

  /** Sets the trailer fields, which are sent only if the message is chunked. */
  public void trailers(HeadBuffer fields) {
    trailers = Arrays.copyOf(fields.array(), fields.length());
  }

  /** Ends the message. */
  public void end() {
    byte[] fields = trailers;
    trailers = null;
    if (chunked && fields != null) {
      writeHeld();
      ByteBuf last = context.alloc().directBuffer(fields.length + 5);
      write(last.writeBytes(END, 0, 3).writeBytes(fields).writeBytes(END, 3, 2));
    } else if (chunked) {
      ByteBuf head = held;
      if (head != null && head.writableBytes() >= 5) {
        head.writeBytes(END, 0, 5);
      } else {
        writeHeld();
        write(END.duplicate());
      }
    }
    writeHeld();
  }

  public void flush() {
    writeHeld();
    context.flush();
  }

  /** Releases the held head. */
  public void discard() {
    if (held != null) {
      held.release();
      held = null;
    }
  }

  private void writeHeld() {
    ByteBuf buffer = held;
    if (buffer != null) {
      held = null;
      write(buffer);
    }
  }

  private void write(ByteBuf buffer) {
    Channel channel = context.channel();
    context.write(buffer, channel.voidPromise());
  }

  private static void writeHex(ByteBuf out, int number) {
    int shift = (31 - Integer.numberOfLeadingZeros(number)) / 4 * 4;
    for (; shift >= 0; shift -= 4) {
      out.writeByte(HEX[number >> shift & 15]);
    }
    out.writeShort('\r' << 8 | '\n');
  }
}
