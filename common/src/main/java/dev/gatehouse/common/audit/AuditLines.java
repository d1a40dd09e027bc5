package dev.gatehouse.common.audit;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

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
    this(in, 0, taker);
  }

  /** @param offset the position of the stream in the content */
  AuditLines(InputStream in, long offset, Taker taker) {
    this.in = in;
    this.taken = offset;
    this.taker = taker;
  }

  /** Reads up to the end; returns whether the file ends with a complete line. */
  boolean read() throws IOException {
    readUntil(() -> false);
    return filled == 0 && !isTooLong;
  }

  /**
   * Reads until it is enough, which is asked from time to time, or up to the end of what is there; may be called again.
   *
   * @return whether the end was reached
   */
  boolean readUntil(BooleanSupplier isEnough) throws IOException {
    while (!isEnough.getAsBoolean()) {
      int read = in.read(bytes, filled, bytes.length - filled);
      if (read < 0) {
        return true;
      }
      filled += read;
      int begin = complete();
      filled -= begin;
      System.arraycopy(bytes, begin, bytes, 0, filled);
      if (filled == bytes.length) {
        grow();
      }
    }
    return false;
  }

  /** Returns the number of bytes of the lines that were taken: while a line is taken, its position in the content. */
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
