package dev.gatehouse.common.http;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One request of ours, and its bounds.
 *
 * @param body of a POST; a GET has none
 * @param total for problems only: how long all was to take
 * @param deadline of {@link System#nanoTime}, for the name lookup, the connection, TLS, the request and the whole response
 */
record OutboundRequest(URI url, Headers headers, Optional<byte[]> body, Duration total, long deadline, int mostBytes) {

  static OutboundRequest of(URI url, Headers headers, Optional<byte[]> body, Duration total, int mostBytes) {
    return new OutboundRequest(url, headers, body, total, System.nanoTime() + total.toNanos(), mostBytes);
  }

  OutboundRequest to(URI other) {
    return new OutboundRequest(other, headers, body, total, deadline, mostBytes);
  }

  String method() {
    return body.isPresent() ? "POST" : "GET";
  }

  /** May be negative. */
  long millisLeft() {
    return TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
  }
}
