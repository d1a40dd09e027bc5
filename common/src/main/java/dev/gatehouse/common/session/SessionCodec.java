package dev.gatehouse.common.session;

import dev.gatehouse.common.codec.Vocabulary;

/** Converts a session to bytes and back; the first byte is a version. */
public interface SessionCodec<S extends Session> {
  byte[] encode(S session);

  /** Throws {@link IllegalArgumentException} for bytes that no version wrote. */
  S decode(byte[] bytes);

  /** Encodes to as few bytes as possible, for a memory store that holds the id itself and words that many sessions share. */
  default byte[] pack(S session, Vocabulary vocabulary) {
    return encode(session);
  }

  /** Decodes the result of {@link #pack}, with the same vocabulary. */
  default S unpack(SessionId id, byte[] bytes, Vocabulary vocabulary) {
    return decode(bytes);
  }
}
