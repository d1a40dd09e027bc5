package dev.gatehouse.gateway.message;

/**
 * The reason why a message cannot be parsed. Each one ends the connection, because it is unknown where the next message
 * begins.
 */
public enum Malformation {
  REQUEST_LINE(400),
  METHOD(400),
  /** CONNECT and TRACE (RFC 9110, sections 9.3.6 and 9.3.8) are never supported. */
  METHOD_REFUSED(405),
  TARGET(400),
  TARGET_TOO_LONG(414),
  VERSION(505),
  STATUS_LINE(400),
  HEAD_TOO_LARGE(431),
  /** A line that does not end with CR LF, or a CR without LF (RFC 9112, section 2.2). */
  LINE_ENDING(400),
  FIELD_NAME(400),
  FIELD_VALUE(400),
  /** A field continued on the next line (RFC 9112, section 5.2). */
  FOLDED_FIELD(400),
  HOST_MISSING(400),
  HOST_REPEATED(400),
  HOST(400),
  /** Forwarded of a trusted proxy that its grammar does not produce (RFC 7239, section 4). */
  FORWARDED(400),
  /** The target's authority differs from the Host field (RFC 9112, section 3.2.2). */
  AUTHORITY(400),
  CONTENT_LENGTH(400),
  CONTENT_LENGTH_REPEATED(400),
  /** Content-Length with Transfer-Encoding (RFC 9112, section 6.1). */
  LENGTH_AND_ENCODING(400),
  /** Anything but exactly {@code chunked}. */
  TRANSFER_ENCODING(400),
  CHUNK(400),
  TRAILER(400),
  /** A pseudo-header field that is missing, repeated, unknown, empty or misplaced (RFC 9113, section 8.3). */
  PSEUDO_FIELD(400),
  /** A connection-specific field, which HTTP/2 does not allow (RFC 9113, section 8.2.2). */
  CONNECTION_FIELD(400),
  /** More or fewer bytes of DATA than Content-Length stated (RFC 9113, section 8.1.1). */
  LENGTH_OF_DATA(400),
  EXPECTATION(417);

  private final int status;

  Malformation(int status) {
    this.status = status;
  }

  /** The status of the response to a client; a malformed response of an upstream is always a 502. */
  public int status() {
    return status;
  }
}
