package dev.gatehouse.common.store;

/** Converts a value to bytes and back; the first byte is a version. */
public interface ValueCodec<V> {
  byte[] encode(V value);

  /** Throws {@link IllegalArgumentException} for bytes that no version wrote. */
  V decode(byte[] bytes);
}
