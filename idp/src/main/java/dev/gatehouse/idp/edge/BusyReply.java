package dev.gatehouse.idp.edge;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The answer to a request for which a listener has no room: 503 with Retry-After (RFC 9110, section 10.2.3), and the end of its connection. */
final class BusyReply {

  private static final String RETRY_SECONDS = "2";

  private BusyReply() {}

  /** @param line says what there is too much of; ends with a line break */
  static void send(Response response, String line, Callback callback) {
    response.setStatus(HttpStatus.SERVICE_UNAVAILABLE_503);
    response
        .getHeaders()
        .put(HttpHeader.RETRY_AFTER, RETRY_SECONDS)
        .put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString())
        .put(HttpHeader.CACHE_CONTROL, "no-store")
        .put("X-Content-Type-Options", "nosniff")
        .put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
    Content.Sink.write(response, true, line, callback);
  }
}
