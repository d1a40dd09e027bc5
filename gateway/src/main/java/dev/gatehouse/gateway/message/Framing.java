package dev.gatehouse.gateway.message;

/** Determines the framing of a body from the fields alone, and refuses every ambiguity (RFC 9112, section 6.3). */
final class Framing {

  private static final byte[] CHUNKED = Ascii.bytes("chunked");
  private static final byte[] CLOSE = Ascii.bytes("close");
  private static final byte[] KEEP_ALIVE = Ascii.bytes("keep-alive");
  private static final int MAX_DIGITS = 18;

  private Framing() {}

  /** None, Length or Chunked, according to the fields; {@code absent} if they have no framing. */
  static BodyFraming of(Fields fields, int minorVersion, BodyFraming absent) {
    int encoding = fields.next(FieldName.TRANSFER_ENCODING, 0);
    int length = fields.next(FieldName.CONTENT_LENGTH, 0);
    if (encoding < 0) {
      return length < 0 ? absent : new BodyFraming.Length(length(fields, length));
    }
    if (length >= 0) {
      throw new MalformedMessage(Malformation.LENGTH_AND_ENCODING);
    }
    boolean only = fields.next(FieldName.TRANSFER_ENCODING, encoding + 1) < 0;
    // Names of codings are compared case-insensitively (RFC 9112, section 7); the gateway writes its own to the app.
    boolean exactlyChunked =
        Ascii.equalsLower(fields.bytes(), fields.valueStart(encoding), fields.valueEnd(encoding), CHUNKED);
    if (!only || !exactlyChunked || minorVersion == 0) {
      throw new MalformedMessage(Malformation.TRANSFER_ENCODING);
    }
    return BodyFraming.CHUNKED;
  }

  private static long length(Fields fields, int field) {
    if (fields.next(FieldName.CONTENT_LENGTH, field + 1) >= 0) {
      throw new MalformedMessage(Malformation.CONTENT_LENGTH_REPEATED);
    }
    int start = fields.valueStart(field);
    int end = fields.valueEnd(field);
    if (start == end || end - start > MAX_DIGITS) {
      throw new MalformedMessage(Malformation.CONTENT_LENGTH);
    }
    long length = 0;
    for (int i = start; i < end; i++) {
      byte b = fields.bytes()[i];
      if (!Ascii.isDigit(b)) {
        throw new MalformedMessage(Malformation.CONTENT_LENGTH);
      }
      length = length * 10 + (b - '0');
    }
    return length;
  }

  /** Returns whether the connection persists (RFC 9112, section 9.3); with HTTP/1.0 only if requested. */
  static boolean keepAlive(Fields fields, int minorVersion) {
    boolean asked = false;
    for (int i = fields.next(FieldName.CONNECTION, 0); i >= 0; i = fields.next(FieldName.CONNECTION, i + 1)) {
      if (hasToken(fields, i, CLOSE)) {
        return false;
      }
      asked |= hasToken(fields, i, KEEP_ALIVE);
    }
    return minorVersion == 1 || asked;
  }

  private static boolean hasToken(Fields fields, int field, byte[] token) {
    TokenList list = new TokenList(fields, field);
    while (list.next()) {
      if (Ascii.equalsLower(fields.bytes(), list.start(), list.end(), token)) {
        return true;
      }
    }
    return false;
  }
}
