package dev.gatehouse.common.audit;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads the complete lines of one file. A line that is longer than any of ours arrives as an empty one. */
final class AuditLines {

  private static final int LONGEST = 1 << 20;

  /** Takes lines. */
  interface Taker {
    /**
     * Takes one line.
     *
     * @param number of the line in the file, from 1
     * @param to the position after the line feed
     */
    void line(long number, byte[] bytes, int from, int to) throws IOException;
  }

  private final InputStream in;
  private final Taker taker;
  private byte[] bytes = new byte[1 << 16];
  private int filled;
  private long number;
  private long taken;
  private boolean isTooLong;

  AuditLines(InputStream in, Taker taker) {
    this.in = in;
    this.taker = taker;
  }

  /** Reads up to the end; returns whether the file ends with a complete line. */
  boolean read() throws IOException {
    for (int read = in.read(bytes); read >= 0; read = in.read(bytes, filled, bytes.length - filled)) {
      filled += read;
      int begin = complete();
      filled -= begin;
      System.arraycopy(bytes, begin, bytes, 0, filled);
      if (filled == bytes.length) {
        grow();
      }
    }
    return filled == 0 && !isTooLong;
  }

  /** Returns the number of bytes of the lines that were taken. */
  long taken() {
    return taken;
  }

  private void grow() {
    if (filled < LONGEST) {
      bytes = Arrays.copyOf(bytes, 2 * filled);
    } else {
      isTooLong = true;
      taken += filled;
      filled = 0;
    }
  }

  private int complete() throws IOException {
    int begin = 0;
    for (int i = 0; i < filled; i++) {
      if (bytes[i] == '\n') {
        taker.line(++number, bytes, isTooLong ? i : begin, i + 1);
        taken += i + 1 - begin;
        isTooLong = false;
        begin = i + 1;
      }
    }
    return begin;
  }
}
