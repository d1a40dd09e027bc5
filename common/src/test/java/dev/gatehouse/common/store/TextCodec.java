package dev.gatehouse.common.store;

import java.nio.charset.StandardCharsets;

/** Text as bytes, after a version byte. */
final class TextCodec implements ValueCodec<String> {
  @Override
  public byte[] encode(String value) {
    return ("\1" + value).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String decode(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != 1) {
      throw new IllegalArgumentException("Not a version of text");
    }
    return new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
  }
}
