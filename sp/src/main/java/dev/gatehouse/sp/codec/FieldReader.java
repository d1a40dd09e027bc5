package dev.gatehouse.sp.codec;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the fields that a {@link FieldWriter} wrote. Throws {@link IllegalArgumentException} for other input. */
public final class FieldReader {

  private final ByteBuffer in;

  FieldReader(byte[] bytes) {
    this.in = ByteBuffer.wrap(bytes);
  }

  public byte[] bytes() {
    byte[] value = new byte[length()];
    in.get(value);
    return value;
  }

  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  public Instant instant() {
    try {
      long seconds = in.getLong();
      return Instant.ofEpochSecond(seconds, in.getInt());
    } catch (BufferUnderflowException | DateTimeException e) {
      throw new IllegalArgumentException("not an instant", e);
    }
  }

  /** A small number, 0 to 255. */
  public int number() {
    if (!in.hasRemaining()) {
      throw new IllegalArgumentException("a field is missing");
    }
    return in.get() & 0xff;
  }

  public <T> Optional<T> optional(Function<FieldReader, T> read) {
    return number() == 1 ? Optional.of(read.apply(this)) : Optional.empty();
  }

  public List<String> texts() {
    int size = length();
    List<String> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(text());
    }
    return List.copyOf(values);
  }

  public Map<String, List<String>> textLists() {
    Map<String, List<String>> values = new LinkedHashMap<>();
    int size = length();
    for (int i = 0; i < size; i++) {
      values.put(text(), texts());
    }
    return Map.copyOf(values);
  }

  void requireEnd() {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("more fields than expected");
    }
  }

  /** Reads a length or count. Every counted element takes at least one byte. */
  private int length() {
    if (in.remaining() < Integer.BYTES) {
      throw new IllegalArgumentException("a field is missing");
    }
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("a field is longer than the remaining bytes");
    }
    return length;
  }
}
