package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.HeadBuffer;

/**
 * Our entry of Via (RFC 9110, section 7.6.3): the protocol in which we received the message, and a pseudonym in place of our
 * host, which is nobody's business.
 */
public final class Via {

  public static final String NAME = "via";

  /** Of responses: apps speak HTTP/1.1 with us. */
  public static final String RESPONSE = "1.1 gatehouse";

  private static final byte[] HTTP_2 = Ascii.bytes("Via: 2.0 gatehouse\r\n");
  private static final byte[] HTTP_1_1 = Ascii.bytes("Via: 1.1 gatehouse\r\n");
  private static final byte[] HTTP_1_0 = Ascii.bytes("Via: 1.0 gatehouse\r\n");

  private Via() {}

  /** Behind what a client's proxies have said. @param protocol of the client's request, like {@code HTTP/1.1} */
  public static void request(String protocol, HeadBuffer out) {
    out.put(
        switch (protocol) {
          case "HTTP/2.0" -> HTTP_2;
          case "HTTP/1.0" -> HTTP_1_0;
          default -> HTTP_1_1;
        });
  }

  public static void response(HeadBuffer out) {
    out.put(HTTP_1_1);
  }
}
