package dev.gatehouse.gateway.message;

/**
 * A strictly parsed request line with its fields. There is exactly one Host field, and the framing is unambiguous.
 *
 * @param method upper case
 * @param pathStart index of the target's path in the fields' bytes; in absolute-form after the authority
 * @param pathEnd index after the path
 * @param targetEnd index after the query; equal to {@code pathEnd} if there is no question mark
 * @param authority the target's authority in absolute-form, otherwise empty
 * @param minorVersion 0 or 1
 * @param keepAlive whether the client wants a persistent connection
 * @param expectsContinue whether the client waits for 100 (Continue) before it sends the body
 */
public record RequestHead(
    String method,
    int pathStart,
    int pathEnd,
    int targetEnd,
    String authority,
    int minorVersion,
    Fields fields,
    BodyFraming framing,
    boolean keepAlive,
    boolean expectsContinue)
    implements ParsedRequest {

  private static final byte[] TRAILERS = Ascii.bytes("trailers");

  /** The query without the question mark; empty if there is none. */
  public String query() {
    return pathEnd == targetEnd ? "" : Ascii.string(fields.bytes(), pathEnd + 1, targetEnd);
  }

  /** Returns whether the request is idempotent (RFC 9110, section 9.2.2) and has no body, so that it can be sent again. */
  public boolean isRepeatable() {
    boolean idempotent =
        switch (method) {
          case "GET", "HEAD", "OPTIONS", "PUT", "DELETE" -> true;
          case String other -> false;
        };
    return idempotent && !hasBody();
  }

  public boolean isHead() {
    return method.equals("HEAD");
  }

  /** Returns whether the client accepts trailer fields (RFC 9110, section 10.1.4). */
  public boolean takesTrailers() {
    for (int i = fields.next(FieldName.TE, 0); i >= 0; i = fields.next(FieldName.TE, i + 1)) {
      TokenList list = new TokenList(fields, i);
      while (list.next()) {
        if (Ascii.equalsLower(fields.bytes(), list.start(), list.end(), TRAILERS)) {
          return minorVersion == 1;
        }
      }
    }
    return false;
  }

  public boolean hasBody() {
    return switch (framing) {
      case BodyFraming.None none -> false;
      case BodyFraming.Length(long bytes) -> bytes > 0;
      case BodyFraming.Chunked chunked -> true;
      case BodyFraming.UntilClose close -> true;
    };
  }

  /** A copy with fewer fields. */
  public RequestHead with(Fields fewer) {
    return new RequestHead(
        method, pathStart, pathEnd, targetEnd, authority, minorVersion, fewer, framing, keepAlive, expectsContinue);
  }

  /** Shows only the method, because targets may contain secrets. */
  @Override
  public String toString() {
    return method;
  }
}
