package dev.gatehouse.gateway.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A request's head: malformed, or one with a single Host, without control characters, and framed in one way. */
public final class RequestHeadFuzz {

  private static final RequestParser PARSER = new RequestParser(HeadLimits.standard());

  private RequestHeadFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    if (PARSER.parse(bytes) instanceof RequestHead head) {
      FieldsProperties.check(head.fields());
      boolean oneHost = head.fields().all(FieldName.HOST).size() == 1;
      boolean inOrder = head.pathStart() < head.pathEnd() && head.pathEnd() <= head.targetEnd();
      boolean twice =
          head.framing() instanceof BodyFraming.Length
              && !head.fields().all(FieldName.TRANSFER_ENCODING).isEmpty();
      if (!oneHost || !inOrder || twice || bytes[head.pathStart()] != '/') {
        throw new IllegalStateException("accepted what is in doubt");
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        ascii("GET /a/b?c=d HTTP/1.1\r\nHost: app.localhost:8000\r\nCookie: a=b\r\n\r\n"),
        ascii("POST http://h/p HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n"),
        ascii("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close, X\r\n\r\n"));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
