package dev.gatehouse.gateway.netty.http2;

import io.netty.buffer.ByteBuf;

/**
 * Tracks where the frames of a client's connection begin and end (RFC 9113, section 4.1), to detect a frame, or a head
 * of several frames, that was begun and not finished. The decoder reports a frame only when it is complete.
 */
final class FrameScan {

  private static final int HEADER = 9;
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;

  /** Bytes to skip; at first the preface. */
  private int skip;

  private int have;
  private int length;
  private int type;
  private boolean headOpen;
  private long completed;

  FrameScan(int preface) {
    this.skip = preface;
  }

  void scan(ByteBuf in) {
    int at = in.readerIndex();
    int end = in.writerIndex();
    while (at < end) {
      if (skip > 0) {
        int passed = Math.min(skip, end - at);
        at += passed;
        skip -= passed;
        finishIfPassed();
      } else {
        header(in.getByte(at++));
      }
    }
  }

  private void header(byte b) {
    have++;
    if (have <= 3) {
      length = length << 8 | b & 0xff;
    } else if (have == 4) {
      type = b;
    } else if (have == 5 && (type == HEADERS || type == CONTINUATION)) {
      headOpen = (b & END_HEADERS) == 0;
    } else if (have == HEADER) {
      skip = length;
      finishIfPassed();
    }
  }

  private void finishIfPassed() {
    if (skip == 0 && (have == HEADER || have == 0)) {
      completed += headOpen ? 0 : 1;
      have = 0;
      length = 0;
    }
  }

  /** Returns whether a frame or a head was begun and not finished. */
  boolean isInside() {
    return have > 0 || skip > 0 || headOpen;
  }

  /** The number of complete frames and heads that have passed. */
  long completed() {
    return completed;
  }
}
