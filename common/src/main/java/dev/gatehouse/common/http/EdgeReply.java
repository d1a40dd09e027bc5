package dev.gatehouse.common.http;

import dev.gatehouse.common.codec.JsonText;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * The reply of an endpoint. It is not cached unless the endpoint says so: the edge adds {@code Cache-Control: no-store}
 * if the headers contain no Cache-Control.
 *
 * @param body never null; the edge drops it for HEAD
 */
public record EdgeReply(int status, Headers headers, byte[] body) {

  private static final byte[] NOTHING = new byte[0];

  /** 303 See Other: the browser continues with GET, whatever the method was (RFC 9110, section 15.4.4). */
  public static EdgeReply seeOther(URI location) {
    return seeOther(location.toString());
  }

  /** As {@link #seeOther(URI)}; a path is relative to the origin of the request. */
  public static EdgeReply seeOther(String location) {
    return new EdgeReply(303, Headers.of("Location", location), NOTHING);
  }

  public static EdgeReply of(int status, String contentType, String body) {
    return of(status, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  public static EdgeReply of(int status, String contentType, byte[] body) {
    return new EdgeReply(status, Headers.of("Content-Type", contentType), body);
  }

  public static EdgeReply json(int status, JsonText body) {
    return of(status, "application/json", body.toBytes());
  }

  public static EdgeReply noContent() {
    return new EdgeReply(204, Headers.empty(), NOTHING);
  }

  public EdgeReply with(String name, String value) {
    return new EdgeReply(status, headers.and(name, value), body);
  }

  /** Returns the body as text, for tests and logs of our own pages. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return status + " " + headers + " " + body.length + " bytes";
  }
}
