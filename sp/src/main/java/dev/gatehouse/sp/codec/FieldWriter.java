package dev.gatehouse.sp.codec;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Writes the fields of a record in sequence; {@link FieldReader} reads them in the same order. */
public final class FieldWriter {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private final DataOutputStream out = new DataOutputStream(bytes);

  FieldWriter(int version) {
    number(version);
  }

  public void bytes(byte[] value) {
    count(value.length);
    bytes.writeBytes(value);
  }

  public void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  public void instant(Instant value) {
    try {
      out.writeLong(value.getEpochSecond());
      out.writeInt(value.getNano());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A small number, 0 to 255. */
  public void number(int value) {
    bytes.write(value);
  }

  public <T> void optional(Optional<T> value, BiConsumer<FieldWriter, T> write) {
    number(value.isPresent() ? 1 : 0);
    value.ifPresent(present -> write.accept(this, present));
  }

  public void texts(List<String> values) {
    count(values.size());
    values.forEach(this::text);
  }

  public void textLists(Map<String, List<String>> values) {
    count(values.size());
    values.forEach(
        (key, list) -> {
          text(key);
          texts(list);
        });
  }

  private void count(int size) {
    try {
      out.writeInt(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
