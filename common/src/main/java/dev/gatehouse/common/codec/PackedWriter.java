package dev.gatehouse.common.codec;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;

/** Writes fields one after the other; {@link PackedReader} reads them in the same order. */
public final class PackedWriter {

  /** Kinds of packed text: the two low bits of its head; the number of bytes is above them. */
  static final int UTF8 = 0;

  static final int HEX = 1;
  static final int UNDERSCORE_HEX = 2;
  static final int SPECIAL = 3;

  /** Kinds after {@link #SPECIAL}, in place of a length. */
  static final int IS_UUID = 0;

  static final int IS_IPV4 = 1;

  /** The origin of instants, which are counted in the coarsest of these units that loses nothing. */
  static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  static final long[] NANOS_OF_UNIT = {1_000_000_000, 1_000_000, 1};

  /** In place of a unit: the full instant follows. */
  static final int FAR = 3;

  /** Four years: a count of nanoseconds in that range fits. */
  private static final long FAR_SECONDS = 1L << 27;

  private byte[] bytes = new byte[512];
  private int size;

  /** Writes a number from 0: one byte up to 127, two up to 16,383. */
  public void number(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    put((byte) rest);
  }

  /** Writes a text that occurs only in this record. */
  public void text(String value) {
    int length = value.length();
    boolean underscore = length > 1 && value.charAt(0) == '_';
    if (length == 36 && isUuid(value)) {
      special(IS_UUID);
      UUID uuid = UUID.fromString(value);
      putLong(uuid.getMostSignificantBits());
      putLong(uuid.getLeastSignificantBits());
    } else if (length <= 15 && isIpv4(value)) {
      special(IS_IPV4);
      for (String part : value.split("\\.", -1)) {
        put((byte) Integer.parseInt(part));
      }
    } else if (isHex(value, underscore ? 1 : 0)) {
      byte[] packed = HexFormat.of().parseHex(value, underscore ? 1 : 0, length);
      number((long) packed.length << 2 | (underscore ? UNDERSCORE_HEX : HEX));
      putAll(packed);
    } else {
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      number((long) utf8.length << 2 | UTF8);
      putAll(utf8);
    }
  }

  public void bytes(byte[] value) {
    number(value.length);
    putAll(value);
  }

  /** Writes a text that many records share, after a zero: other numbers are reserved for words of a vocabulary. */
  public void word(String value) {
    number(0);
    text(value);
  }

  public void words(Collection<String> values) {
    number(values.size());
    values.forEach(this::word);
  }

  public void instant(Instant value) {
    instant(value, EPOCH);
  }

  /** Writes an instant in few bytes if it is near {@code base}, which the reader knows too. */
  public void instant(Instant value, Instant base) {
    long seconds = value.getEpochSecond() - base.getEpochSecond();
    if (Math.abs(seconds) > FAR_SECONDS) {
      number(FAR);
      putLong(value.getEpochSecond());
      number(value.getNano());
      return;
    }
    long nanos = value.getNano() - (long) base.getNano();
    int unit = 0;
    while (nanos % NANOS_OF_UNIT[unit] != 0) {
      unit++;
    }
    long count = seconds * (1_000_000_000 / NANOS_OF_UNIT[unit]) + nanos / NANOS_OF_UNIT[unit];
    // Zigzag encoding: small negative numbers become small, too.
    number((count << 1 ^ count >> 63) << 2 | unit);
  }

  public <T> void optional(Optional<T> value, BiConsumer<PackedWriter, T> write) {
    number(value.isPresent() ? 1 : 0);
    value.ifPresent(present -> write.accept(this, present));
  }

  public <T> void list(List<T> values, BiConsumer<PackedWriter, T> write) {
    number(values.size());
    values.forEach(value -> write.accept(this, value));
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void special(int what) {
    number((long) what << 2 | SPECIAL);
  }

  /** Returns whether the text is a UUID in the spelling that unpacking yields. */
  private static boolean isUuid(String value) {
    for (int i = 0; i < 36; i++) {
      boolean hyphen = i == 8 || i == 13 || i == 18 || i == 23;
      if (hyphen ? value.charAt(i) != '-' : !isHexDigit(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIpv4(String value) {
    int parts = 1;
    int part = -1;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '.' && part >= 0) {
        parts++;
        part = -1;
      } else if (c >= '0' && c <= '9' && part != 0) {
        part = Math.max(part, 0) * 10 + c - '0';
      } else {
        return false;
      }
      if (part > 255) {
        return false;
      }
    }
    return parts == 4 && part >= 0;
  }

  private static boolean isHex(String value, int from) {
    int digits = value.length() - from;
    if (digits == 0 || digits % 2 != 0) {
      return false;
    }
    for (int i = from; i < value.length(); i++) {
      if (!isHexDigit(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHexDigit(char c) {
    return c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
  }

  private void putLong(long value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      put((byte) (value >>> shift));
    }
  }

  private void putAll(byte[] values) {
    reserve(values.length);
    System.arraycopy(values, 0, bytes, size, values.length);
    size += values.length;
  }

  private void put(byte value) {
    reserve(1);
    bytes[size++] = value;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
