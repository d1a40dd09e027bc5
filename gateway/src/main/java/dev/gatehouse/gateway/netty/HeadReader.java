package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.Malformation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Takes a head out of what arrives, up to the empty line that ends it. Remembers how far it has looked, so that a
 * sender in drops costs nothing more, and refuses what is too large before it is here.
 */
final class HeadReader {

  /** Method and version stand in the first line too. */
  private static final int BESIDE_TARGET = 64;

  /** Empty lines before a request that are forgiven (RFC 9112, section 2.2). */
  private static final int MOST_EMPTY = 2;

  private final HeadLimits limits;
  private final int mostEmpty;
  private int empty;
  private int scanned;
  private int lineStart;
  private @Nullable Malformation malformation;

  private HeadReader(HeadLimits limits, int mostEmpty) {
    this.limits = limits;
    this.mostEmpty = mostEmpty;
  }

  /** Of requests: a few empty lines may stand before each. */
  static HeadReader ofRequests(HeadLimits limits) {
    return new HeadReader(limits, MOST_EMPTY);
  }

  static HeadReader ofResponses(HeadLimits limits) {
    return new HeadReader(limits, 0);
  }

  /** Why there will be no head, once that is so. */
  @Nullable Malformation malformation() {
    return malformation;
  }

  /** The head with its empty line; nothing where its end has not arrived, or never will: see {@link #malformation}. */
  byte @Nullable [] read(ByteBuf in) {
    skipEmpty(in);
    int length = find(in);
    int size = length == 0 ? in.readableBytes() : length;
    if (malformation != null) {
      return null;
    }
    if (length == 0 && lineStart == 0 && size > limits.target() + BESIDE_TARGET) {
      malformation = Malformation.TARGET_TOO_LONG;
      return null;
    }
    if (size > limits.head()) {
      malformation = Malformation.HEAD_TOO_LARGE;
      return null;
    }
    if (length == 0) {
      return null;
    }
    byte[] bytes = ByteBufUtil.getBytes(in, in.readerIndex(), length, true);
    in.skipBytes(length);
    empty = 0;
    return bytes;
  }

  private void skipEmpty(ByteBuf in) {
    while (lineStart == 0
        && empty < mostEmpty
        && in.readableBytes() >= 2
        && in.getShort(in.readerIndex()) == ('\r' << 8 | '\n')) {
      in.skipBytes(2);
      empty++;
      scanned = 0;
    }
  }

  /** The head's length; 0 while its end has not arrived. */
  private int find(ByteBuf in) {
    int base = in.readerIndex();
    int limit = in.writerIndex();
    while (true) {
      int lf = in.indexOf(base + scanned, limit, (byte) '\n');
      if (lf < 0) {
        scanned = limit - base;
        return 0;
      }
      if (lf == base || in.getByte(lf - 1) != '\r') {
        malformation = Malformation.LINE_ENDING;
        return 0;
      }
      int at = lf - base;
      if (at - lineStart == 1) {
        scanned = 0;
        lineStart = 0;
        return at + 1;
      }
      lineStart = at + 1;
      scanned = at + 1;
    }
  }
}
