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
  private final int oldest;

  /** @param version from 1 to 127 */
  protected PackedCodec(int version) {
    this(version, version);
  }

  /**
   * Creates a codec that reads former versions too.
   *
   * @param version from 1 to 127
   * @param oldest the first version that it reads
   */
  protected PackedCodec(int version, int oldest) {
    this.version = version;
    this.oldest = oldest;
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

  /** Returns the version that a value needs: a former one if that can hold it, so that nodes of the version before read it. */
  protected int versionOf(V value) {
    return version;
  }

  /**
   * Reads the fields.
   *
   * @throws IllegalArgumentException for input that {@link #write} did not write
   */
  protected abstract V read(PackedReader in);

  /** Reads the fields of a version from the oldest to this one. */
  protected V read(PackedReader in, int written) {
    return read(in);
  }

  @Override
  public final byte[] encode(V value) {
    PackedWriter out = new PackedWriter();
    out.number(versionOf(value));
    write(out, value);
    return out.toBytes();
  }

  @Override
  public final V decode(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    long written = in.number();
    if (written < oldest || written > version) {
      throw new IllegalArgumentException("not of version " + (oldest == version ? "" : oldest + " to ") + version);
    }
    V value = read(in, (int) written);
    in.requireEnd();
    return value;
  }
}
