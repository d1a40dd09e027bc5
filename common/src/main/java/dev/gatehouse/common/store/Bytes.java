package dev.gatehouse.common.store;

import dev.gatehouse.common.crypto.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Converts keys and times to bytes. */
final class Bytes {

  /** Length of an encoded time: seconds (8 bytes) and nanoseconds (4 bytes). */
  static final int INSTANT = 12;

  private Bytes() {}

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] join(byte[]... parts) {
    return joined(0, parts);
  }

  static byte[] prefixed(char kind, byte[]... parts) {
    byte[] joined = joined(1, parts);
    joined[0] = (byte) kind;
    return joined;
  }

  /** Returns a key of an index that is ordered by a number, such as a time in milliseconds. */
  static byte[] numbered(char kind, long number, byte[] key) {
    return ByteBuffer.allocate(1 + Long.BYTES + key.length).put((byte) kind).putLong(number).put(key).array();
  }

  /** Returns the parts behind so many bytes that the caller fills. */
  private static byte[] joined(int before, byte[]... parts) {
    int length = before;
    for (byte[] part : parts) {
      length += part.length;
    }
    byte[] joined = new byte[length];
    int at = before;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, joined, at, part.length);
      at += part.length;
    }
    return joined;
  }

  /** Returns the least key after this one. */
  static byte[] following(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** Returns the least key that is greater than every key that begins with {@code prefix}. */
  static byte[] successor(byte[] prefix) {
    byte[] end = prefix.clone();
    for (int i = end.length - 1; i >= 0; i--) {
      if (++end[i] != 0) {
        return Arrays.copyOf(end, i + 1);
      }
    }
    throw new IllegalArgumentException("Nothing is greater than a prefix of 0xff only");
  }

  /** Returns the SHA-256 of the texts. Each text is preceded by its length, so that no two lists give the same input. */
  static byte[] digest(String... texts) {
    byte[][] parts = new byte[texts.length][];
    int length = 0;
    for (int i = 0; i < parts.length; i++) {
      parts[i] = utf8(texts[i]);
      length += Integer.BYTES + parts[i].length;
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      all.putInt(part.length).put(part);
    }
    return Sha256.of(all.array());
  }

  static byte[] instant(Instant instant) {
    return put(ByteBuffer.allocate(INSTANT), instant).array();
  }

  static ByteBuffer put(ByteBuffer to, Instant instant) {
    return to.putLong(instant.getEpochSecond()).putInt(instant.getNano());
  }

  static Instant instant(ByteBuffer from) {
    return Instant.ofEpochSecond(from.getLong(), from.getInt());
  }

  /** Returns the first full millisecond at or after the time. */
  static long ceilMillis(Instant instant) {
    return instant.plusNanos(999_999).toEpochMilli();
  }
}
