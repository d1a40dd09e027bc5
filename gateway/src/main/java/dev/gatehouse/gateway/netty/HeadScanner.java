package dev.gatehouse.gateway.netty;

import io.netty.buffer.ByteBuf;

/** Finds the empty line that ends a head; remembers how far it has looked, so that slow senders cost nothing more. */
final class HeadScanner {

  /** A line ends with LF alone. */
  static final int MALFORMED = -1;

  /** The end has not arrived. */
  static final int INCOMPLETE = 0;

  private int scanned;
  private int lineStart;

  /** The head's length with its empty line, {@link #INCOMPLETE} or {@link #MALFORMED}. */
  int find(ByteBuf in) {
    int base = in.readerIndex();
    int limit = in.writerIndex();
    while (true) {
      int lf = in.indexOf(base + scanned, limit, (byte) '\n');
      if (lf < 0) {
        scanned = limit - base;
        return INCOMPLETE;
      }
      if (lf == base || in.getByte(lf - 1) != '\r') {
        return MALFORMED;
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

  /** Whether the first line has arrived whole. */
  boolean hasLine() {
    return lineStart > 0;
  }
}
