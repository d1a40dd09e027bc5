package dev.gatehouse.gateway.message;

/**
 * Parses the field lines of a head (RFC 9112, section 5). Accepts exactly {@code token ":" OWS value OWS CRLF}: no
 * folding, no space before the colon, no control character except the tab.
 */
final class FieldParser {

  private FieldParser() {}

  /** Parses from {@code at}, the beginning of the first field line, to the empty line that ends the head. */
  static Fields parse(byte[] bytes, int at, int end, int most) {
    Fields fields = new Fields(bytes);
    int i = at;
    while (i < end - 2) {
      if (fields.size() == most) {
        throw new MalformedMessage(Malformation.HEAD_TOO_LARGE);
      }
      i = field(bytes, i, end, fields);
    }
    if (i != end - 2 || bytes[i] != '\r' || bytes[i + 1] != '\n') {
      throw new MalformedMessage(Malformation.LINE_ENDING);
    }
    return fields;
  }

  private static int field(byte[] bytes, int start, int end, Fields fields) {
    int i = start;
    if (bytes[i] == ' ' || bytes[i] == '\t') {
      throw new MalformedMessage(Malformation.FOLDED_FIELD);
    }
    while (i < end && Ascii.isToken(bytes[i])) {
      i++;
    }
    if (i == start || i == end || bytes[i] != ':') {
      throw new MalformedMessage(Malformation.FIELD_NAME);
    }
    int nameEnd = i++;
    while (i < end && (bytes[i] == ' ' || bytes[i] == '\t')) {
      i++;
    }
    int valueStart = i;
    while (i < end && Ascii.isFieldValue(bytes[i])) {
      i++;
    }
    int lineEnd = endOfLine(bytes, i, end, Malformation.FIELD_VALUE);
    int valueEnd = i;
    while (valueEnd > valueStart && (bytes[valueEnd - 1] == ' ' || bytes[valueEnd - 1] == '\t')) {
      valueEnd--;
    }
    fields.add(FieldName.of(bytes, start, nameEnd), start, nameEnd, valueStart, valueEnd);
    return lineEnd;
  }

  /** The index after the CR LF that must be at {@code i}. */
  static int endOfLine(byte[] bytes, int i, int end, Malformation otherwise) {
    if (i + 1 < end && bytes[i] == '\r' && bytes[i + 1] == '\n') {
      return i + 2;
    }
    boolean lineEnding = i < end && (bytes[i] == '\r' || bytes[i] == '\n');
    throw new MalformedMessage(lineEnding ? Malformation.LINE_ENDING : otherwise);
  }
}
