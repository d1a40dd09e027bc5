package dev.gatehouse.gateway.message;

/** Parses the head of an upstream's response (RFC 9112, section 4), as strictly as a client's request. */
public final class ResponseParser {

  private final HeadLimits limits;

  public ResponseParser(HeadLimits limits) {
    this.limits = limits;
  }

  /**
   * @param bytes exactly the head, including the empty line; the result refers to it
   * @param answersHead whether the request was HEAD, whose response has no body regardless of its fields
   */
  public ParsedResponse parse(byte[] bytes, boolean answersHead) {
    return parse(bytes, answersHead, false);
  }

  /**
   * @param upgradable whether the request asked for another protocol; only then 101 (Switching Protocols) is accepted
   */
  public ParsedResponse parse(byte[] bytes, boolean answersHead, boolean upgradable) {
    try {
      return head(bytes, answersHead, upgradable);
    } catch (MalformedMessage e) {
      return new ParsedResponse.Malformed(e.malformation());
    }
  }

  private ResponseHead head(byte[] bytes, boolean answersHead, boolean upgradable) {
    int end = bytes.length;
    boolean statusLine =
        end > 14
            && bytes[0] == 'H'
            && bytes[1] == 'T'
            && bytes[2] == 'T'
            && bytes[3] == 'P'
            && bytes[4] == '/'
            && bytes[5] == '1'
            && bytes[6] == '.'
            && (bytes[7] == '0' || bytes[7] == '1')
            && bytes[8] == ' '
            && Ascii.isDigit(bytes[9])
            && Ascii.isDigit(bytes[10])
            && Ascii.isDigit(bytes[11]);
    if (!statusLine) {
      throw new MalformedMessage(Malformation.STATUS_LINE);
    }
    int minorVersion = bytes[7] - '0';
    int status = (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + (bytes[11] - '0');
    if (status < 100 || status > 599 || status == 101 && !upgradable) {
      throw new MalformedMessage(Malformation.STATUS_LINE);
    }
    int reasonStart = bytes[12] == ' ' ? 13 : 12;
    int reasonEnd = reasonStart;
    while (reasonStart == 13 && reasonEnd < end && Ascii.isFieldValue(bytes[reasonEnd])) {
      reasonEnd++;
    }
    int lineEnd = FieldParser.endOfLine(bytes, reasonEnd, end, Malformation.STATUS_LINE);
    Fields fields = FieldParser.parse(bytes, lineEnd, end, limits.fields());
    BodyFraming framing = Framing.of(fields, minorVersion, BodyFraming.UNTIL_CLOSE);
    boolean bodiless = answersHead || status < 200 || status == 204 || status == 304;
    boolean bodyAfterAll = status == 204 && framing != BodyFraming.UNTIL_CLOSE;
    boolean keepAlive = Framing.keepAlive(fields, minorVersion) && !bodyAfterAll;
    return new ResponseHead(status, reasonStart, reasonEnd, fields, bodiless ? BodyFraming.NONE : framing, keepAlive);
  }
}
