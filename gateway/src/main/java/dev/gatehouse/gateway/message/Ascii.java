package dev.gatehouse.gateway.message;

import java.nio.charset.StandardCharsets;

/** Classes of bytes (RFC 9110, section 5.6) and case-insensitive comparisons, for ASCII only. */
public final class Ascii {

  private static final byte TOKEN = 1;
  private static final byte FIELD_VALUE = 2;
  private static final byte VISIBLE = 4;
  private static final byte HEX = 8;
  private static final byte ALPHANUMERIC = 16;
  private static final byte[] CLASS = new byte[256];

  static {
    for (int c = 0; c < 256; c++) {
      boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
      boolean digit = c >= '0' && c <= '9';
      int classes = 0;
      classes |= letter || digit || c < 128 && "!#$%&'*+-.^_`|~".indexOf(c) >= 0 ? TOKEN : 0;
      classes |= c == '\t' || c >= 0x20 && c != 0x7f ? FIELD_VALUE : 0;
      classes |= c > 0x20 && c < 0x7f ? VISIBLE : 0;
      classes |= digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' ? HEX : 0;
      classes |= letter || digit ? ALPHANUMERIC : 0;
      CLASS[c] = (byte) classes;
    }
  }

  private Ascii() {}

  static boolean isToken(byte b) {
    return (CLASS[b & 0xff] & TOKEN) != 0;
  }

  static boolean isFieldValue(byte b) {
    return (CLASS[b & 0xff] & FIELD_VALUE) != 0;
  }

  static boolean isVisible(byte b) {
    return (CLASS[b & 0xff] & VISIBLE) != 0;
  }

  public static boolean isHex(byte b) {
    return (CLASS[b & 0xff] & HEX) != 0;
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** The byte in lower case, as field names are compared. */
  public static byte lower(byte b) {
    return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
  }

  /**
   * The byte of a field name as CGI and its successors (WSGI, Rack, PHP) see it: lower case, with all characters alike
   * that are neither letter nor digit, so that {@code Remote_User} and {@code Remote.User} are {@code remote-user}.
   */
  public static byte folded(byte b) {
    return (CLASS[b & 0xff] & ALPHANUMERIC) == 0 ? (byte) '-' : lower(b);
  }

  /** The value of a hexadecimal digit. */
  public static int hexValue(byte b) {
    return b <= '9' ? b - '0' : (b | 0x20) - 'a' + 10;
  }

  /** Returns whether the bytes equal {@code expected}, which is in lower case, ignoring case. */
  public static boolean equalsLower(byte[] bytes, int start, int end, byte[] expected) {
    if (end - start != expected.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if (lower(bytes[start + i]) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  public static byte[] bytes(String ascii) {
    return ascii.getBytes(StandardCharsets.ISO_8859_1);
  }

  public static String string(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }
}
