package dev.gatehouse.gateway.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A body as it comes, counted against what all together may take. To be closed. */
public final class CollectedBody implements AutoCloseable {

  private final ResponseCache cache;
  private byte[] bytes = new byte[0];
  private int length;
  private long taken;

  CollectedBody(ResponseCache cache) {
    this.cache = cache;
  }

  /** Makes room for that many bytes more; false where there is none. */
  public boolean reserve(int more) {
    if (length + more <= bytes.length) {
      return true;
    }
    int size = Math.max(length + more, Math.min(bytes.length * 2, length + (1 << 20)));
    if (!cache.take(size - bytes.length)) {
      return false;
    }
    taken += size - bytes.length;
    bytes = Arrays.copyOf(bytes, size);
    return true;
  }

  /** Where the next bytes may be put, after {@link #reserve}. */
  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public void added(int count) {
    length += count;
  }

  ByteBuffer toBuffer() {
    return cache.body(bytes, length);
  }

  @Override
  public void close() {
    cache.giveBack(taken);
    taken = 0;
    bytes = new byte[0];
    length = 0;
  }
}
