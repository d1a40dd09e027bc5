package dev.gatehouse.common.http;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An outbound request with its bounds.
 *
 * @param body of a POST; a GET has none
 * @param total the whole time allowed, for problem texts only
 * @param deadline in the time of {@link System#nanoTime}; for name lookup, connection, TLS, request and the whole response
 */
record OutboundRequest(URI url, Headers headers, Optional<byte[]> body, Duration total, long deadline, int maxBytes) {

  static OutboundRequest of(URI url, Headers headers, Optional<byte[]> body, Duration total, int maxBytes) {
    return new OutboundRequest(url, headers, body, total, System.nanoTime() + total.toNanos(), maxBytes);
  }

  OutboundRequest to(URI other) {
    return new OutboundRequest(other, headers, body, total, deadline, maxBytes);
  }

  String method() {
    return body.isPresent() ? "POST" : "GET";
  }

  /** Returns the milliseconds until the deadline; negative after it. */
  long millisLeft() {
    return TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
  }
}
