package dev.gatehouse.gateway.message;

/** Parses the head of a request (RFC 9112, sections 2 to 6), from its first byte to the empty line. */
public final class RequestParser {

  private static final byte[] CONTINUE = Ascii.bytes("100-continue");
  private static final byte[][] SCHEMES = {Ascii.bytes("http://"), Ascii.bytes("https://")};
  private static final int LONGEST_METHOD = 32;

  private final HeadLimits limits;

  public RequestParser(HeadLimits limits) {
    this.limits = limits;
  }

  public HeadLimits limits() {
    return limits;
  }

  /** @param bytes exactly the head, including the empty line; the result refers to it */
  public ParsedRequest parse(byte[] bytes) {
    try {
      return head(bytes);
    } catch (MalformedMessage e) {
      return new ParsedRequest.Malformed(e.malformation());
    }
  }

  private RequestHead head(byte[] bytes) {
    int end = bytes.length;
    int methodEnd = methodEnd(bytes, end);
    String method = method(bytes, methodEnd);
    int targetStart = methodEnd + 1;
    int targetEnd = targetStart;
    while (targetEnd < end && Ascii.isVisible(bytes[targetEnd])) {
      targetEnd++;
    }
    if (targetEnd - targetStart > limits.target()) {
      throw new MalformedMessage(Malformation.TARGET_TOO_LONG);
    }
    if (targetEnd == targetStart || targetEnd == end || bytes[targetEnd] != ' ') {
      throw new MalformedMessage(Malformation.REQUEST_LINE);
    }
    int minorVersion = minorVersion(bytes, targetEnd + 1, end);
    int lineEnd = FieldParser.endOfLine(bytes, targetEnd + 9, end, Malformation.REQUEST_LINE);
    Fields fields = FieldParser.parse(bytes, lineEnd, end, limits.fields());
    if (method.equals("CONNECT") || method.equals("TRACE")) {
      throw new MalformedMessage(Malformation.METHOD_REFUSED);
    }
    checkHost(fields);
    return finish(method, targetStart, targetEnd, minorVersion, fields);
  }

  private static RequestHead finish(String method, int targetStart, int targetEnd, int minorVersion, Fields fields) {
    byte[] bytes = fields.bytes();
    int pathStart = targetStart;
    String authority = "";
    if (bytes[targetStart] != '/') {
      int authorityStart = authorityStart(bytes, targetStart, targetEnd);
      pathStart = authorityStart;
      while (pathStart < targetEnd && bytes[pathStart] != '/' && bytes[pathStart] != '?') {
        pathStart++;
      }
      authority = Ascii.string(bytes, authorityStart, pathStart);
      if (authority.isEmpty() || pathStart == targetEnd || bytes[pathStart] != '/') {
        throw new MalformedMessage(Malformation.TARGET);
      }
    }
    int pathEnd = pathStart;
    while (pathEnd < targetEnd && bytes[pathEnd] != '?') {
      pathEnd++;
    }
    return new RequestHead(
        method,
        pathStart,
        pathEnd,
        targetEnd,
        authority,
        minorVersion,
        fields,
        Framing.of(fields, minorVersion, BodyFraming.NONE),
        minorVersion == 1 && Framing.keepAlive(fields, minorVersion),
        expectsContinue(fields));
  }

  private static int methodEnd(byte[] bytes, int end) {
    int i = 0;
    while (i < end && Ascii.isToken(bytes[i])) {
      i++;
    }
    if (i == 0 || i > LONGEST_METHOD) {
      throw new MalformedMessage(Malformation.METHOD);
    }
    if (i == end || bytes[i] != ' ') {
      throw new MalformedMessage(Malformation.REQUEST_LINE);
    }
    return i;
  }

  /** Methods are case-sensitive (RFC 9110, section 9.1); apps would interpret a lower-case one differently. */
  private static String method(byte[] bytes, int end) {
    if (end == 3 && bytes[0] == 'G' && bytes[1] == 'E' && bytes[2] == 'T') {
      return "GET";
    }
    for (int i = 0; i < end; i++) {
      if (bytes[i] >= 'a' && bytes[i] <= 'z') {
        throw new MalformedMessage(Malformation.METHOD);
      }
    }
    return Ascii.string(bytes, 0, end);
  }

  private static int minorVersion(byte[] bytes, int at, int end) {
    boolean http =
        end - at >= 8
            && bytes[at] == 'H'
            && bytes[at + 1] == 'T'
            && bytes[at + 2] == 'T'
            && bytes[at + 3] == 'P'
            && bytes[at + 4] == '/'
            && Ascii.isDigit(bytes[at + 5])
            && bytes[at + 6] == '.'
            && Ascii.isDigit(bytes[at + 7]);
    if (!http) {
      throw new MalformedMessage(Malformation.REQUEST_LINE);
    }
    int minor = bytes[at + 7] - '0';
    if (bytes[at + 5] != '1' || minor > 1) {
      throw new MalformedMessage(Malformation.VERSION);
    }
    return minor;
  }

  private static void checkHost(Fields fields) {
    int host = fields.next(FieldName.HOST, 0);
    if (host < 0) {
      throw new MalformedMessage(Malformation.HOST_MISSING);
    }
    if (fields.next(FieldName.HOST, host + 1) >= 0) {
      throw new MalformedMessage(Malformation.HOST_REPEATED);
    }
  }

  /** The index after {@code http://} or {@code https://}; {@code *} and authority-form are not supported. */
  private static int authorityStart(byte[] bytes, int start, int end) {
    for (byte[] scheme : SCHEMES) {
      if (end - start > scheme.length && Ascii.equalsLower(bytes, start, start + scheme.length, scheme)) {
        return start + scheme.length;
      }
    }
    throw new MalformedMessage(Malformation.TARGET);
  }

  private static boolean expectsContinue(Fields fields) {
    int expect = fields.next(FieldName.EXPECT, 0);
    if (expect < 0) {
      return false;
    }
    boolean known = Ascii.equalsLower(fields.bytes(), fields.valueStart(expect), fields.valueEnd(expect), CONTINUE);
    if (!known || fields.next(FieldName.EXPECT, expect + 1) >= 0) {
      throw new MalformedMessage(Malformation.EXPECTATION);
    }
    return true;
  }
}
