package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.sp.session.AppCookie;
import java.util.Optional;

/**
 * Finds the AppSession's token in the Cookie fields; with https only under the __Host- name, which no other host can
 * set.
 */
public final class SessionCookie {

  private static final byte[] PLAIN = Ascii.bytes(AppCookie.NAME + "=");
  private static final byte[] SECURE = Ascii.bytes("__Host-" + AppCookie.NAME + "=");

  private SessionCookie() {}

  public static Optional<SessionToken> of(Fields fields, boolean secure) {
    return value(fields, secure ? SECURE : PLAIN).map(CookieValue::text).flatMap(SessionToken::parse);
  }

  /** The value of the first cookie that begins with that name and the equals sign. */
  static Optional<CookieValue> value(Fields fields, byte[] name) {
    for (int i = fields.next(FieldName.COOKIE, 0); i >= 0; i = fields.next(FieldName.COOKIE, i + 1)) {
      int end = fields.valueEnd(i);
      for (int at = fields.valueStart(i); at < end; at++) {
        int semicolon = at;
        while (semicolon < end && fields.bytes()[semicolon] != ';') {
          semicolon++;
        }
        while (at < semicolon && fields.bytes()[at] == ' ') {
          at++;
        }
        if (startsWith(fields.bytes(), at, semicolon, name)) {
          return Optional.of(stripped(fields.bytes(), at + name.length, semicolon));
        }
        at = semicolon;
      }
    }
    return Optional.empty();
  }

  private static CookieValue stripped(byte[] bytes, int from, int to) {
    int start = from;
    int end = to;
    while (start < end && isSpace(bytes[start])) {
      start++;
    }
    while (end > start && isSpace(bytes[end - 1])) {
      end--;
    }
    return new CookieValue(bytes, start, end);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t';
  }

  private static boolean startsWith(byte[] bytes, int start, int end, byte[] name) {
    return end - start >= name.length
        && java.util.Arrays.equals(bytes, start, start + name.length, name, 0, name.length);
  }
}
