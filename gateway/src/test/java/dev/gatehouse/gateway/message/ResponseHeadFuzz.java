package dev.gatehouse.gateway.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The head of an app's response: malformed, or one whose fields can be passed on. */
public final class ResponseHeadFuzz {

  private static final ResponseParser PARSER = new ResponseParser(HeadLimits.standard());

  private ResponseHeadFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    if (PARSER.parse(bytes, false) instanceof ResponseHead head) {
      FieldsProperties.check(head.fields());
      if (head.status() < 100 || head.status() > 599 || head.status() == 101) {
        throw new IllegalStateException("accepted the status " + head.status());
      }
    }
    PARSER.parse(bytes, true);
  }

  public static List<byte[]> seeds() {
    return List.of(
        ascii("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nSet-Cookie: a=b; Path=/\r\n\r\n"),
        ascii("HTTP/1.0 204\r\n\r\n"),
        ascii("HTTP/1.1 302 Found\r\nLocation: /x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
