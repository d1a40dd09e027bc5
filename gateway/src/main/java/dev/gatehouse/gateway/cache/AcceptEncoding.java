package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.TokenList;

/** Reads the content codings that a client accepts (RFC 9110, section 12.5.3) without copying them. */
final class AcceptEncoding {

  static final byte[] NAME = Ascii.bytes("accept-encoding");

  /** Codings that are read. HTTP/2 compresses thousands of them to a few bytes, and each hit would read them. */
  private static final int MAX_CODINGS = 64;

  private static final byte[] GZIP = Ascii.bytes("gzip");
  private static final byte[] X_GZIP = Ascii.bytes("x-gzip");
  private static final byte[] ANY = Ascii.bytes("*");

  private AcceptEncoding() {}

  /**
   * Returns whether the client accepts gzip; a client that names more codings than are read gets none.
   *
   * @param last the last field of that name
   */
  static boolean allowsGzip(Fields fields, int last) {
    byte[] bytes = fields.bytes();
    boolean any = false;
    int codings = 0;
    for (int i = 0; i <= last; i++) {
      if (fields.name(i) != FieldName.OTHER || !HeadFields.isNamed(fields, i, NAME)) {
        continue;
      }
      TokenList list = new TokenList(fields, i);
      while (list.next()) {
        if (++codings > MAX_CODINGS) {
          return false;
        }
        if (names(bytes, list.start(), list.end(), GZIP) || names(bytes, list.start(), list.end(), X_GZIP)) {
          return isAccepted(bytes, list.start(), list.end());
        }
        any |= names(bytes, list.start(), list.end(), ANY) && isAccepted(bytes, list.start(), list.end());
      }
    }
    return any;
  }

  private static boolean names(byte[] bytes, int start, int end, byte[] lower) {
    int stop = weight(bytes, start, end);
    while (stop > start && isSpace(bytes[stop - 1])) {
      stop--;
    }
    return Ascii.equalsLower(bytes, start, stop, lower);
  }

  /** The index of the semicolon before the weight; {@code end} if there is none. */
  private static int weight(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && bytes[at] != ';') {
      at++;
    }
    return at;
  }

  /** Returns whether the weight of an element is not 0; one that is malformed counts as 0. */
  private static boolean isAccepted(byte[] bytes, int start, int end) {
    int at = weight(bytes, start, end);
    if (at == end) {
      return true;
    }
    at++;
    while (at < end && isSpace(bytes[at])) {
      at++;
    }
    return end - at > 2 && Ascii.lower(bytes[at]) == 'q' && bytes[at + 1] == '=' && isPositive(bytes, at + 2, end);
  }

  /** Returns whether it is a qvalue above 0 (RFC 9110, section 12.4.2). */
  private static boolean isPositive(byte[] bytes, int start, int end) {
    int length = end - start;
    boolean one = bytes[start] == '1';
    if (length > 5 || !one && bytes[start] != '0' || length > 1 && bytes[start + 1] != '.') {
      return false;
    }
    boolean positive = one;
    for (int i = start + 2; i < end; i++) {
      if (bytes[i] < '0' || bytes[i] > (one ? '0' : '9')) {
        return false;
      }
      positive |= bytes[i] > '0';
    }
    return positive;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t';
  }
}
