package dev.gatehouse.common.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the content of an archived file as members of gzip of {@link MemberHead#MOST} bytes each, and an empty one behind them: a file
 * without that end was cut off.
 */
final class MemberOutput extends OutputStream {

  private final OutputStream out;
  private final byte[] content = new byte[MemberHead.MOST];
  private int filled;

  MemberOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int taken = 0;
    while (taken < length) {
      int count = Math.min(length - taken, content.length - filled);
      System.arraycopy(bytes, from + taken, content, filled, count);
      filled += count;
      taken += count;
      if (filled == content.length) {
        member();
      }
    }
  }

  /** Writes what is left, and the end. */
  void finish() throws IOException {
    if (filled > 0) {
      member();
    }
    member();
  }

  private void member() throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(content, 0, filled);
    }
    int size = zipped.size() - MemberHead.PLAIN;
    out.write(new MemberHead(size, filled).toBytes());
    out.write(zipped.toByteArray(), MemberHead.PLAIN, size);
    filled = 0;
  }
}
