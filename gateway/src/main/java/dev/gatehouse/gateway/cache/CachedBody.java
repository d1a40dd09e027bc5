package dev.gatehouse.gateway.cache;

import java.nio.ByteBuffer;

/** The body of a stored response in one content coding. All clients that get it share it. */
public final class CachedBody {

  private final UnreadBodies unread;
  private final CacheKey key;
  private final ByteBuffer bytes;

  /** @param key under which it is stored, or was */
  CachedBody(UnreadBodies unread, CacheKey key, ByteBuffer bytes) {
    this.unread = unread;
    this.key = key;
    this.bytes = bytes;
  }

  CacheKey key() {
    return key;
  }

  /** The bytes, which may only be read through slices and duplicates. */
  ByteBuffer bytes() {
    return bytes;
  }

  int length() {
    return bytes.limit();
  }

  /**
   * Counts a client that has not taken the body yet.
   *
   * @param end ends its response because the memory is needed; called on any thread
   */
  public UnreadBodies.Reader read(Runnable end) {
    return unread.add(this, end);
  }
}
