package dev.gatehouse.gateway.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Fields of HTTP/2, of which names and values are anything: malformed, or a head that HTTP/1.1 reads as one request with one
 * Host and a framing that is the stream's.
 */
public final class Http2HeadFuzz {

  private static final RequestParser PARSER = new RequestParser(HeadLimits.standard());

  private Http2HeadFuzz() {}

  /** The first byte says whether the request ended; then names and values in turn, each ended by 0xff. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    boolean bodiless = (bytes[0] & 1) == 0;
    Http2RequestHeads heads = new Http2RequestHeads(PARSER);
    Http2Trailers trailers = new Http2Trailers();
    heads.begin();
    int at = 1;
    int fields = 0;
    while (at < bytes.length) {
      int nameEnd = end(bytes, at);
      int valueStart = Math.min(nameEnd + 1, bytes.length);
      int valueEnd = end(bytes, valueStart);
      heads.field(bytes, at, nameEnd, bytes, valueStart, valueEnd);
      trailers.field(bytes, at, nameEnd, bytes, valueStart, valueEnd);
      at = valueEnd + 1;
      fields++;
    }
    check(heads.finish(bodiless), bodiless, fields);
    Fields behind = trailers.malformation() == null ? trailers.fields() : null;
    if (behind != null) {
      FieldsProperties.check(behind);
      require(behind.size() == fields);
    }
  }

  private static void check(ParsedRequest parsed, boolean bodiless, int fields) {
    if (!(parsed instanceof RequestHead head)) {
      return;
    }
    FieldsProperties.check(head.fields());
    require(head.fields().all(FieldName.HOST).size() == 1);
    require(head.fields().all(FieldName.CONNECTION).isEmpty() && head.fields().all(FieldName.UPGRADE).isEmpty());
    require(head.fields().all(FieldName.COOKIE).size() <= 1);
    // Three pseudo fields are no fields any more; Host and the framing may have been added.
    require(head.fields().size() <= fields - 3 + 2);
    require(head.authority().isEmpty() && head.minorVersion() == 1 && head.keepAlive());
    require(
        switch (head.framing()) {
          case BodyFraming.None none -> bodiless;
          case BodyFraming.Length(long length) -> !bodiless || length == 0;
          case BodyFraming.Chunked chunked -> !bodiless;
          case BodyFraming.UntilClose close -> false;
        });
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalStateException("accepted what is in doubt");
    }
  }

  private static int end(byte[] bytes, int from) {
    int i = from;
    while (i < bytes.length && bytes[i] != (byte) 0xff) {
      i++;
    }
    return i;
  }

  public static List<byte[]> seeds() {
    return List.of(
        fields("0", ":method", "GET", ":scheme", "https", ":authority", "h", ":path", "/a?b", "cookie", "a=b", "cookie", "c"),
        fields("1", ":method", "POST", ":scheme", "http", ":path", "/", "host", "h", "content-length", "12", "te", "trailers"),
        fields("1", ":method", "PUT", ":scheme", "http", ":authority", "h", ":path", "/", "x", "a\r\nb: c"));
  }

  private static byte[] fields(String flag, String... fields) {
    return (flag + String.join("\u00ff", fields)).getBytes(StandardCharsets.ISO_8859_1);
  }
}
