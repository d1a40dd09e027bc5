package dev.gatehouse.common.codec;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Reads the result of a {@link PackedWriter}; throws {@link IllegalArgumentException} for anything else. */
public final class PackedReader {

  private final byte[] bytes;
  private int at;

  public PackedReader(byte[] bytes) {
    this.bytes = bytes;
  }

  public long number() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = next();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number is too long");
  }

  public byte[] bytes() {
    long length = number();
    int from = skip(length);
    return Arrays.copyOfRange(bytes, from, from + (int) length);
  }

  public String text() {
    long head = number();
    long length = head >>> 2;
    return switch ((int) (head & 3)) {
      case PackedWriter.UTF8 -> {
        int from = skip(length);
        yield new String(bytes, from, (int) length, StandardCharsets.UTF_8);
      }
      case PackedWriter.HEX -> hex(length);
      case PackedWriter.UNDERSCORE_HEX -> "_" + hex(length);
      default -> special(length);
    };
  }

  private String hex(long length) {
    int from = skip(length);
    return HexFormat.of().formatHex(bytes, from, from + (int) length);
  }

  private String special(long what) {
    if (what == PackedWriter.IS_UUID) {
      return new UUID(readLong(), readLong()).toString();
    }
    if (what == PackedWriter.IS_IPV4) {
      return (next() & 0xff) + "." + (next() & 0xff) + "." + (next() & 0xff) + "." + (next() & 0xff);
    }
    throw new IllegalArgumentException("no text is packed like that");
  }

  public String word() {
    if (number() != 0) {
      throw new IllegalArgumentException("there are no words");
    }
    return text();
  }

  public List<String> words() {
    return list(PackedReader::word);
  }

  public Instant instant() {
    return instant(PackedWriter.EPOCH);
  }

  public Instant instant(Instant base) {
    long value = number();
    int unit = (int) (value & 3);
    try {
      if (unit == PackedWriter.FAR) {
        return Instant.ofEpochSecond(readLong(), number());
      }
      long zigzag = value >>> 2;
      long count = zigzag >>> 1 ^ -(zigzag & 1);
      long nanos = PackedWriter.NANOS_OF_UNIT[unit];
      long perSecond = 1_000_000_000 / nanos;
      return base.plusSeconds(count / perSecond).plusNanos(count % perSecond * nanos);
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("not an instant", e);
    }
  }

  public <T> Optional<T> optional(Function<PackedReader, T> read) {
    return number() == 1 ? Optional.of(read.apply(this)) : Optional.empty();
  }

  public <T> List<T> list(Function<PackedReader, T> read) {
    long count = number();
    // Each element takes at least a byte, so the count cannot make us reserve memory for missing elements.
    if (count < 0 || count > bytes.length - at) {
      throw new IllegalArgumentException("more than there is");
    }
    List<T> values = new ArrayList<>((int) count);
    for (long i = 0; i < count; i++) {
      values.add(read.apply(this));
    }
    return List.copyOf(values);
  }

  public void requireEnd() {
    if (at != bytes.length) {
      throw new IllegalArgumentException("more fields than expected");
    }
  }

  private long readLong() {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = value << 8 | next() & 0xff;
    }
    return value;
  }

  private byte next() {
    if (at == bytes.length) {
      throw new IllegalArgumentException("a field is missing");
    }
    return bytes[at++];
  }

  /** @return the position at which they begin */
  private int skip(long length) {
    if (length < 0 || length > bytes.length - at) {
      throw new IllegalArgumentException("a field is longer than the remaining bytes");
    }
    int from = at;
    at += (int) length;
    return from;
  }
}
