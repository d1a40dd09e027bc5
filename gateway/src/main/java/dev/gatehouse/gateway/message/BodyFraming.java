package dev.gatehouse.gateway.message;

/** The way in which the end of a body is determined (RFC 9112, section 6.3). */
public sealed interface BodyFraming {

  /** There is no body. */
  record None() implements BodyFraming {}

  /** As many bytes as Content-Length states. */
  record Length(long bytes) implements BodyFraming {}

  /** Until the last chunk. */
  record Chunked() implements BodyFraming {}

  /** Until the connection closes; responses only. */
  record UntilClose() implements BodyFraming {}

  BodyFraming NONE = new None();
  BodyFraming CHUNKED = new Chunked();
  BodyFraming UNTIL_CLOSE = new UntilClose();
}
