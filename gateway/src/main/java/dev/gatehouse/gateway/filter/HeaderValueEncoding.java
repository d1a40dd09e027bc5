package dev.gatehouse.gateway.filter;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes values so that apps decode them to the same value. */
final class HeaderValueEncoding {

  private static final String UNRESERVED = "-._~";

  /**
   * Characters that a cookie's value must not contain (RFC 6265, section 4.1.1), and the percent sign of the encoding.
   */
  private static final String NOT_IN_COOKIES = " \"%,;\\";

  private HeaderValueEncoding() {}

  static boolean arrivesAsItIs(String value) {
    return !value.isEmpty() && !value.startsWith(" ") && !value.endsWith(" ") && isPlain(value);
  }

  /** Returns whether the value contains no control character and can be encoded in UTF-8. */
  static boolean isPlain(String value) {
    // An unpaired surrogate would become a question mark, which might yield another person's name.
    return value.chars().noneMatch(Character::isISOControl) && StandardCharsets.UTF_8.newEncoder().canEncode(value);
  }

  /** Joins values with commas; characters that could be taken for a separator or be lost are percent-encoded. */
  static String list(List<String> values) {
    StringBuilder list = new StringBuilder();
    for (String value : values) {
      if (!list.isEmpty()) {
        list.append(',');
      }
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        boolean edge = i == 0 || i == value.length() - 1;
        if (c == ',' || c == '%' || c < 0x20 || c == 0x7f || edge && c == ' ') {
          escape(c, list, "0123456789abcdef");
        } else {
          list.append(c);
        }
      }
    }
    return list.toString();
  }

  /** The UTF-8 bytes as Latin-1 characters, from which a field is written. */
  static String utf8(String value) {
    return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Encodes a value of a query (RFC 3986, section 2.3), so that every parser decodes it to the same. */
  static String query(String value) {
    StringBuilder text = new StringBuilder();
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b > 0 && (Character.isLetterOrDigit(b) || UNRESERVED.indexOf(b) >= 0);
      put(b, plain, text);
    }
    return text.toString();
  }

  /** Encodes a value of a cookie; forbidden characters are percent-encoded. */
  static String cookie(String value) {
    StringBuilder text = new StringBuilder();
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      put(b, b > 0x20 && b < 0x7f && NOT_IN_COOKIES.indexOf(b) < 0, text);
    }
    return text.toString();
  }

  private static void put(byte b, boolean plain, StringBuilder to) {
    if (plain) {
      to.append((char) b);
    } else {
      escape(b & 0xff, to, "0123456789ABCDEF");
    }
  }

  private static void escape(int value, StringBuilder to, String digits) {
    to.append('%').append(digits.charAt(value >> 4)).append(digits.charAt(value & 15));
  }
}
