package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.HeadBuffer;

/**
 * Gatehouse's entry of Via (RFC 9110, section 7.6.3): the protocol of the received message, and a pseudonym, so that
 * the host name is not disclosed.
 */
public final class Via {

  public static final String NAME = "via";

  /** The value for responses, because apps use HTTP/1.1. */
  public static final String RESPONSE = "1.1 gatehouse";

  private static final byte[] HTTP_2 = Ascii.bytes("Via: 2.0 gatehouse\r\n");
  private static final byte[] HTTP_1_1 = Ascii.bytes("Via: 1.1 gatehouse\r\n");
  private static final byte[] HTTP_1_0 = Ascii.bytes("Via: 1.0 gatehouse\r\n");

  private Via() {}

  /**
   * Adds the entry after those of the client's proxies.
   *
   * @param protocol of the client's request, such as {@code HTTP/1.1}
   */
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
