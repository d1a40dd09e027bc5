package dev.gatehouse.gateway.message;

/**
 * A request's line and fields, read strictly. Exactly one Host field is there, and the framing is beyond doubt.
 *
 * @param method upper case
 * @param pathStart where the target's path begins in the fields' bytes; in absolute-form after the authority
 * @param pathEnd behind the path
 * @param targetEnd behind the query; equal to {@code pathEnd} where there is no question mark
 * @param authority the target's authority in absolute-form, else empty
 * @param minorVersion 0 or 1
 * @param keepAlive whether the client wants to go on with this connection
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

  /** The query without the question mark; empty where there is none. */
  public String query() {
    return pathEnd == targetEnd ? "" : Ascii.string(fields.bytes(), pathEnd + 1, targetEnd);
  }

  /** Whether repeating it does what doing it once does (RFC 9110, section 9.2.2), and no body would be missing. */
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

  /** Whether the client has a use for fields behind the response's body (RFC 9110, section 10.1.4). */
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

  /** The same with some of its fields. */
  public RequestHead with(Fields fewer) {
    return new RequestHead(
        method, pathStart, pathEnd, targetEnd, authority, minorVersion, fewer, framing, keepAlive, expectsContinue);
  }

  /** Method only: targets carry secrets. */
  @Override
  public String toString() {
    return method;
  }
}
