package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;

/**
 * Cookies whose names begin with {@code gh_} (or {@code __Host-gh_}, {@code __Secure-gh_}) are Gatehouse's own: an app
 * neither sees nor sets them.
 */
public final class OwnCookies {

  private static final byte[] OWN = Ascii.bytes("gh_");
  private static final byte[][] PREFIXES = {Ascii.bytes("__host-"), Ascii.bytes("__secure-")};

  private OwnCookies() {}

  /** Writes the Cookie field without our cookies; nothing where no other is left. */
  static void writeOthers(Fields fields, int field, HeadBuffer out) {
    byte[] bytes = fields.bytes();
    int end = fields.valueEnd(field);
    if (!containsOwn(bytes, fields.valueStart(field), end)) {
      out.putField(fields, field);
      return;
    }
    boolean first = true;
    for (int at = fields.valueStart(field); at < end; ) {
      int semicolon = next(bytes, at, end);
      int start = skipSpace(bytes, at, semicolon);
      if (start < semicolon && !isOwn(bytes, start, semicolon)) {
        if (first) {
          out.put("Cookie: ");
        } else {
          out.put("; ");
        }
        out.put(bytes, start, semicolon);
        first = false;
      }
      at = semicolon + 1;
    }
    if (!first) {
      out.endLine();
    }
  }

  /** The same of a field's value. */
  public static boolean setsOwn(String value) {
    byte[] bytes = Ascii.bytes(value);
    return setsOwn(bytes, 0, bytes.length);
  }

  /** Whether a Set-Cookie field of an app's sets a cookie of ours. */
  static boolean setsOwn(Fields fields, int field) {
    return setsOwn(fields.bytes(), fields.valueStart(field), fields.valueEnd(field));
  }

  private static boolean setsOwn(byte[] bytes, int from, int end) {
    int start = skipSpace(bytes, from, end);
    if (start < end && bytes[start] == '=') {
      // Browsers send a cookie without a name as its value alone, which then looks like name and value.
      start = skipSpace(bytes, start + 1, end);
    }
    return isOwn(bytes, start, end);
  }

  private static boolean containsOwn(byte[] bytes, int start, int end) {
    for (int at = start; at < end; ) {
      int semicolon = next(bytes, at, end);
      if (isOwn(bytes, skipSpace(bytes, at, semicolon), semicolon)) {
        return true;
      }
      at = semicolon + 1;
    }
    return false;
  }

  private static int next(byte[] bytes, int at, int end) {
    int i = at;
    while (i < end && bytes[i] != ';') {
      i++;
    }
    return i;
  }

  private static int skipSpace(byte[] bytes, int at, int end) {
    int i = at;
    while (i < end && (bytes[i] == ' ' || bytes[i] == '\t')) {
      i++;
    }
    return i;
  }

  private static boolean isOwn(byte[] bytes, int start, int end) {
    int at = start;
    for (byte[] prefix : PREFIXES) {
      if (startsWith(bytes, at, end, prefix)) {
        at += prefix.length;
      }
    }
    return startsWith(bytes, at, end, OWN);
  }

  private static boolean startsWith(byte[] bytes, int start, int end, byte[] lower) {
    return end - start >= lower.length && Ascii.equalsLower(bytes, start, start + lower.length, lower);
  }
}
