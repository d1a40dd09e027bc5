package dev.gatehouse.common.session;

/** A session as bytes; the first byte is a version. */
public interface SessionCodec<S extends Session> {
  byte[] encode(S session);

  /** Throws {@link IllegalArgumentException} for bytes that no version wrote. */
  S decode(byte[] bytes);
}
