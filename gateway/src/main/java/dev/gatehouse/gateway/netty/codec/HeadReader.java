package dev.gatehouse.gateway.netty.codec;

import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.Malformation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads a head up to the empty line that ends it. Remembers how far it has searched, so that a slow sender costs no
 * repeated work, and refuses a head that is too large before all of it has arrived.
 */
public final class HeadReader {

  /** Bytes of the first line besides the target: the method and the version. */
  private static final int METHOD_AND_VERSION = 64;

  /** Empty lines that are tolerated before a request (RFC 9112, section 2.2). */
  private static final int MAX_EMPTY = 2;

  private final HeadLimits limits;
  private final int maxEmpty;
  private int empty;
  private int scanned;
  private int lineStart;
  private @Nullable Malformation malformation;

  private HeadReader(HeadLimits limits, int maxEmpty) {
    this.limits = limits;
    this.maxEmpty = maxEmpty;
  }

  /** A reader of request heads; a few empty lines may precede each. */
  public static HeadReader ofRequests(HeadLimits limits) {
    return new HeadReader(limits, MAX_EMPTY);
  }

  public static HeadReader ofResponses(HeadLimits limits) {
    return new HeadReader(limits, 0);
  }

  /** The defect that prevents a head; null if there is none. */
  public @Nullable Malformation malformation() {
    return malformation;
  }

  /** The head with its empty line; null while it is incomplete or if it is malformed (see {@link #malformation}). */
  public byte @Nullable [] read(ByteBuf in) {
    skipEmpty(in);
    int length = find(in);
    int size = length == 0 ? in.readableBytes() : length;
    if (malformation != null) {
      return null;
    }
    if (length == 0 && lineStart == 0 && size > limits.target() + METHOD_AND_VERSION) {
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
        && empty < maxEmpty
        && in.readableBytes() >= 2
        && in.getShort(in.readerIndex()) == ('\r' << 8 | '\n')) {
      in.skipBytes(2);
      empty++;
      scanned = 0;
    }
  }

  /** The length of the head; 0 while its end has not arrived. */
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
