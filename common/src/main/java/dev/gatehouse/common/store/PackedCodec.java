package dev.gatehouse.common.store;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A compact codec: a format number, then the fields by {@link PackedWriter}. A node may store a million sessions,
 * and a browser sends every byte that it carries with every request.
 *
 * <p>While nodes are replaced one after the other, each reads what the others write. A codec therefore reads the format after its own too:
 * that one only appends fields, without which every decision is the same. They are left out, and are lost where a node of the former
 * version writes the record again. Any other change takes the number after the next, which the former version refuses, and {@link #versionOf} keeps
 * to the former one for values that do not need it.
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

  /** Returns the first format that is read. */
  public final int oldest() {
    return oldest;
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
    if (written < oldest || written > version + 1) {
      throw new UnknownFormat("A record", written, oldest, version + 1);
    }
    V value = read(in, (int) Math.min(written, version));
    if (written <= version) {
      in.requireEnd();
    }
    return value;
  }
}
