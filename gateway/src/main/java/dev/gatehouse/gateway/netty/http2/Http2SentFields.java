package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldSink;
import dev.gatehouse.gateway.message.Fields;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Collects the fields of one HTTP/2 head to be sent; names are converted to lower case (RFC 9113, section 8.2). */
final class Http2SentFields implements FieldSink {

  private static final AsciiString[] NONE = {};

  private final List<AsciiString> fields = new ArrayList<>(32);

  @Override
  public Http2SentFields putField(Fields from, int field) {
    byte[] bytes = from.bytes();
    int start = from.nameStart(field);
    byte[] name = new byte[from.nameEnd(field) - start];
    for (int i = 0; i < name.length; i++) {
      name[i] = Ascii.lower(bytes[start + i]);
    }
    fields.add(new AsciiString(name, false));
    // Copied, because an HPACK table may retain the value long after the head was sent.
    int valueStart = from.valueStart(field);
    fields.add(new AsciiString(bytes, valueStart, from.valueEnd(field) - valueStart, true));
    return this;
  }

  @Override
  public Http2SentFields putField(String name, String latin1Value) {
    fields.add(new AsciiString(name.toLowerCase(Locale.ROOT)));
    fields.add(new AsciiString(latin1Value));
    return this;
  }

  Http2SentFields putField(AsciiString lowerName, AsciiString value) {
    fields.add(lowerName);
    fields.add(value);
    return this;
  }

  Http2SentFields putField(String name, byte[] value) {
    fields.add(new AsciiString(name.toLowerCase(Locale.ROOT)));
    fields.add(new AsciiString(value));
    return this;
  }

  boolean isEmpty() {
    return fields.isEmpty();
  }

  Http2Headers head(int status) {
    return ReadOnlyHttp2Headers.serverHeaders(false, new AsciiString(Integer.toString(status)), fields.toArray(NONE));
  }

  /** The fields to use for several heads. */
  Kept kept(int status) {
    return new Kept(new AsciiString(Integer.toString(status)), fields.toArray(NONE));
  }

  /** A head without the fields in which requests differ; it does not change. */
  static final class Kept {
    private final AsciiString status;
    private final AsciiString[] fields;

    private Kept(AsciiString status, AsciiString[] fields) {
      this.status = status;
      this.fields = fields;
    }

    Http2Headers with(AsciiString lowerName, AsciiString value) {
      AsciiString[] all = Arrays.copyOf(fields, fields.length + 2);
      all[fields.length] = lowerName;
      all[fields.length + 1] = value;
      return ReadOnlyHttp2Headers.serverHeaders(false, status, all);
    }
  }

  Http2Headers trailers() {
    return ReadOnlyHttp2Headers.trailers(false, fields.toArray(NONE));
  }
}
