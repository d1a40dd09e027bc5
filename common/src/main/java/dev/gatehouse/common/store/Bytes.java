package dev.gatehouse.common.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;

/** Keys and times as bytes. */
final class Bytes {

  /** Bytes of a time: seconds (8) and nanoseconds (4). */
  static final int INSTANT = 12;

  private Bytes() {}

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] join(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer joined = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      joined.put(part);
    }
    return joined.array();
  }

  static byte[] prefixed(char kind, byte[]... parts) {
    return join(new byte[] {(byte) kind}, join(parts));
  }

  /** The least key that is greater than all that begin with {@code prefix}. */
  static byte[] successor(byte[] prefix) {
    byte[] end = prefix.clone();
    for (int i = end.length - 1; i >= 0; i--) {
      if (++end[i] != 0) {
        return Arrays.copyOf(end, i + 1);
      }
    }
    throw new IllegalArgumentException("Nothing is greater than a prefix of 0xff only");
  }

  /** SHA-256 of texts, each with its length before it, so that no two lists of texts give the same input. */
  static byte[] digest(String... texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String text : texts) {
        byte[] bytes = utf8(text);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        digest.update(bytes);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] instant(Instant instant) {
    return ByteBuffer.allocate(INSTANT).putLong(instant.getEpochSecond()).putInt(instant.getNano()).array();
  }

  static Instant instant(ByteBuffer from) {
    return Instant.ofEpochSecond(from.getLong(), from.getInt());
  }

  /** The first full millisecond at or after it. */
  static long ceilMillis(Instant instant) {
    return instant.plusNanos(999_999).toEpochMilli();
  }
}
