package dev.gatehouse.common.store;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;

/**
 * A compact codec: a version, then the fields by {@link PackedWriter}. For sessions, of which a node may store a million, and for
 * values that a browser carries, because every byte is sent with every request.
 */
public abstract class PackedCodec<V> implements ValueCodec<V> {

  private final int version;

  /** @param version from 1 to 127 */
  protected PackedCodec(int version) {
    this.version = version;
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
