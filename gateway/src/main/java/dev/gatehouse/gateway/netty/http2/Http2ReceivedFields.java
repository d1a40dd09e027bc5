package dev.gatehouse.gateway.netty.http2;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Arrays;

/**
 * The fields of one HTTP/2 head as HPACK yields them, in order and unchecked; {@link Http2RequestHeads} checks them. A
 * connection reuses one instance for all heads.
 */
final class Http2ReceivedFields extends DefaultHttp2Headers {

  /** Consumes a field. */
  interface Consumer {
    void field(byte[] names, int nameStart, int nameEnd, byte[] values, int valueStart, int valueEnd);
  }

  private AsciiString[] fields = new AsciiString[32];
  private int count;

  Http2ReceivedFields() {
    super(false);
  }

  Http2ReceivedFields reset() {
    Arrays.fill(fields, 0, count, AsciiString.EMPTY_STRING);
    count = 0;
    return this;
  }

  @Override
  public Http2Headers add(CharSequence name, CharSequence value) {
    if (count == fields.length) {
      fields = Arrays.copyOf(fields, count * 2);
    }
    fields[count++] = AsciiString.of(name);
    fields[count++] = AsciiString.of(value);
    return this;
  }

  @Override
  public int size() {
    return count / 2;
  }

  void giveTo(Consumer consumer) {
    for (int i = 0; i < count; i += 2) {
      AsciiString name = fields[i];
      AsciiString value = fields[i + 1];
      int nameStart = name.arrayOffset();
      int valueStart = value.arrayOffset();
      consumer.field(
          name.array(), nameStart, nameStart + name.length(), value.array(), valueStart, valueStart + value.length());
    }
  }
}
