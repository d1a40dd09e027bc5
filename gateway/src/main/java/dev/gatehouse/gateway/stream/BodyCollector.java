package dev.gatehouse.gateway.stream;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Collects a body in memory, up to a limit. */
public final class BodyCollector {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final int limit;

  public BodyCollector(int limit) {
    this.limit = limit;
  }

  /** Adds and releases a part; returns false if the body would exceed the limit. */
  public boolean add(ByteBuf data) {
    try {
      if (bytes.size() + data.readableBytes() > limit) {
        return false;
      }
      data.readBytes(bytes, data.readableBytes());
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      data.release();
    }
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }
}
