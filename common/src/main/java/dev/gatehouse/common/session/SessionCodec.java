package dev.gatehouse.common.session;

import dev.gatehouse.common.codec.Vocabulary;

/** A session as bytes; the first byte is a version. */
public interface SessionCodec<S extends Session> {
  byte[] encode(S session);

  /** Throws {@link IllegalArgumentException} for bytes that no version wrote. */
  S decode(byte[] bytes);

  /** As few bytes as possible, for a store in memory that keeps the id itself and words that many sessions share. */
  default byte[] pack(S session, Vocabulary vocabulary) {
    return encode(session);
  }

  /** What {@link #pack} wrote, with the same vocabulary. */
  default S unpack(SessionId id, byte[] bytes, Vocabulary vocabulary) {
    return decode(bytes);
  }
}
