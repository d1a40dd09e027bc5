package dev.gatehouse.gateway.websocket;

/**
 * Tracks the frames of one direction (RFC 6455, section 5.2) without examining their content: whether the gateway may
 * insert a frame, and whether data was sent.
 */
public final class FrameCursor {

  private static final int CLOSE = 8;

  /** The number of bytes of the frame's head that have arrived. */
  private int headBytes;

  private int headLength = 2;
  private int lengthBytes;
  private boolean masked;
  private int opcode;
  private long length;
  private long remaining;
  private boolean lost;
  private boolean closed;
  private boolean spoken;

  /** Takes the next bytes of the stream; only heads cost time. */
  public void take(java.nio.ByteBuffer bytes) {
    while (bytes.hasRemaining() && !lost) {
      if (remaining > 0) {
        int step = (int) Math.min(remaining, bytes.remaining());
        bytes.position(bytes.position() + step);
        remaining -= step;
      } else {
        head(bytes.get() & 0xff);
      }
    }
  }

  private void head(int b) {
    int at = headBytes++;
    if (at == 0) {
      opcode = b & 0x0f;
      length = 0;
    } else if (at == 1) {
      masked = (b & 0x80) != 0;
      int small = b & 0x7f;
      lengthBytes = small == 126 ? 2 : small == 127 ? 8 : 0;
      length = lengthBytes == 0 ? small : 0;
      headLength = 2 + lengthBytes + (masked ? 4 : 0);
    } else if (at < 2 + lengthBytes) {
      length = length << 8 | b;
    }
    if (headBytes >= 2 && headBytes == headLength) {
      headBytes = 0;
      headLength = 2;
      remaining = length;
      lost = length < 0;
      closed |= opcode == CLOSE;
      spoken |= opcode < CLOSE;
    }
  }

  /** Returns whether a frame has just ended, or none has begun; never after a close frame, because nothing may follow it. */
  public boolean isBetweenFrames() {
    return headBytes == 0 && remaining == 0 && !lost && !closed;
  }

  /** Returns whether a data frame has begun since the last call; pings and pongs do not count as activity. */
  public boolean hasSpoken() {
    boolean was = spoken;
    spoken = false;
    return was;
  }
}
