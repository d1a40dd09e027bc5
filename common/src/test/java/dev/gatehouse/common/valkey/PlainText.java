package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.ValueCodec;
import java.nio.charset.StandardCharsets;

/** A codec of texts that hides nothing. */
final class PlainText implements ValueCodec<String> {
  @Override
  public byte[] encode(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String decode(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
