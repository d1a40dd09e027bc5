package dev.gatehouse.common.store;

import dev.gatehouse.common.crypto.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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
    MessageDigest digest = Sha256.instance();
    for (String text : texts) {
      byte[] bytes = utf8(text);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
    return digest.digest();
  }

  static byte[] instant(Instant instant) {
    return ByteBuffer.allocate(INSTANT).putLong(instant.getEpochSecond()).putInt(instant.getNano()).array();
  }

  static Instant instant(ByteBuffer from) {
    return Instant.ofEpochSecond(from.getLong(), from.getInt());
  }

  /** Returns the first full millisecond at or after the time. */
  static long ceilMillis(Instant instant) {
    return instant.plusNanos(999_999).toEpochMilli();
  }
}
