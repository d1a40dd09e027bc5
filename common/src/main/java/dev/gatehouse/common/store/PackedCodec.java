package dev.gatehouse.common.store;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A compact codec: a version, then the fields by {@link PackedWriter}. A node may store a million sessions,
 * and a browser sends every byte that it carries with every request.
 */
public abstract class PackedCodec<V> implements ValueCodec<V> {

  private final int version;

  /** @param version from 1 to 127 */
  protected PackedCodec(int version) {
    this.version = version;
  }

  /** The codec of these functions. */
  public static <V> PackedCodec<V> of(int version, BiConsumer<PackedWriter, V> write, Function<PackedReader, V> read) {
    return new PackedCodec<>(version) {
      @Override
      protected void write(PackedWriter out, V value) {
        write.accept(out, value);
      }

      @Override
      protected V read(PackedReader in) {
        return read.apply(in);
      }
    };
  }

  public final int version() {
    return version;
  }

  protected abstract void write(PackedWriter out, V value);

  /**
   * Reads the fields.
   *
   * @throws IllegalArgumentException for input that {@link #write} did not write
   */
  protected abstract V read(PackedReader in);

  @Override
  public final byte[] encode(V value) {
    PackedWriter out = new PackedWriter();
    out.number(version);
    write(out, value);
    return out.toBytes();
  }

  @Override
  public final V decode(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    if (in.number() != version) {
      throw new IllegalArgumentException("not of version " + version);
    }
    V value = read(in);
    in.requireEnd();
    return value;
  }
}
