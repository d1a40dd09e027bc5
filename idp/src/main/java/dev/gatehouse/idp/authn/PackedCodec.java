package dev.gatehouse.idp.authn;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.codec.Vocabulary;
import dev.gatehouse.common.store.ValueCodec;

/**
 * A value as few bytes: a version, then its fields by {@link PackedWriter}. For what a browser carries, where every byte is sent
 * with every request.
 */
public abstract class PackedCodec<V> implements ValueCodec<V> {

  private final int version;

  /** @param version from 1 to 127 */
  protected PackedCodec(int version) {
    this.version = version;
  }

  final int version() {
    return version;
  }

  protected abstract void write(PackedWriter out, V value);

  /** Throws {@link IllegalArgumentException} for what {@link #write} never wrote. */
  protected abstract V read(PackedReader in);

  @Override
  public final byte[] encode(V value) {
    PackedWriter out = new PackedWriter(Vocabulary.none());
    out.number(version);
    write(out, value);
    return out.toBytes();
  }

  @Override
  public final V decode(byte[] bytes) {
    PackedReader in = new PackedReader(bytes, Vocabulary.none());
    if (in.number() != version) {
      throw new IllegalArgumentException("not of version " + version);
    }
    V value = read(in);
    in.requireEnd();
    return value;
  }
}
