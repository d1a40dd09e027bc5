package dev.gatehouse.sp.codec;

import dev.gatehouse.common.store.ValueCodec;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The codec of a record: its version, and the functions that write and read its fields. */
public final class FieldCodec<V> implements ValueCodec<V> {

  private final int version;
  private final BiConsumer<FieldWriter, V> write;
  private final Function<FieldReader, V> read;

  /** @param version 1 to 255, the first byte of the encoded form */
  public FieldCodec(int version, BiConsumer<FieldWriter, V> write, Function<FieldReader, V> read) {
    this.version = version;
    this.write = write;
    this.read = read;
  }

  @Override
  public byte[] encode(V value) {
    FieldWriter out = new FieldWriter(version);
    write.accept(out, value);
    return out.toBytes();
  }

  @Override
  public V decode(byte[] bytes) {
    FieldReader in = new FieldReader(bytes);
    if (in.number() != version) {
      throw new IllegalArgumentException("not of version " + version);
    }
    V value = read.apply(in);
    in.requireEnd();
    return value;
  }
}
