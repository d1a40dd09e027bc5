package dev.gatehouse.gateway.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Chunked framing: ends, is malformed, or waits for more; and never promises more data than it named. */
public final class ChunkedBodyFuzz {

  private ChunkedBodyFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    ChunkedBody body = new ChunkedBody();
    int at = 0;
    while (at < bytes.length && !body.isDone()) {
      long data = body.data();
      if (data < 0) {
        throw new IllegalStateException("a negative chunk");
      }
      if (data > 0) {
        int taken = (int) Math.min(data, bytes.length - at);
        body.took(taken);
        at += taken;
      } else if (!body.accept(bytes[at++])) {
        body.malformation();
        return;
      }
    }
    Fields trailers = body.trailers();
    if (trailers != null) {
      FieldsProperties.check(trailers);
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        ascii("3\r\nabc\r\n0\r\n\r\n"),
        ascii("a;x=\"y\"\r\n0123456789\r\n00\r\nTrailer: v\r\n\r\n"),
        ascii("fffffffffffffff\r\n"));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
