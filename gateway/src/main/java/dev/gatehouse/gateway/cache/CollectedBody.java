package dev.gatehouse.gateway.cache;

import java.util.Arrays;

/** A body that is being received. Its bytes count against a limit for all such bodies, until it is closed. */
public final class CollectedBody implements AutoCloseable {

  private final ResponseCache cache;
  private byte[] bytes = new byte[0];
  private int length;
  private long taken;

  CollectedBody(ResponseCache cache) {
    this.cache = cache;
  }

  /** Reserves space for that many more bytes; returns false if there is none. */
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

  /** The array for the next bytes, after {@link #reserve}. */
  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public void added(int count) {
    length += count;
  }

  CachedBody toBody(CacheKey key) {
    return cache.body(key, bytes, length);
  }

  @Override
  public void close() {
    cache.giveBack(taken);
    taken = 0;
    bytes = new byte[0];
    length = 0;
  }
}
