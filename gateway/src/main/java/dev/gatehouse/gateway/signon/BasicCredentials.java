package dev.gatehouse.gateway.signon;

import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** The HTTP Basic credentials of a request's Authorization field (RFC 7617). */
public sealed interface BasicCredentials {

  /** There is no such field, or one of another scheme. */
  record Nothing() implements BasicCredentials {}

  /** There are several fields, or the value cannot be decoded, is not UTF-8, or contains control characters. */
  record Unreadable() implements BasicCredentials {}

  /**
   * A name and a password; prints neither.
   *
   * @param decoded UTF-8, with a colon after the name
   * @param colon the index of the colon
   */
  record Sent(byte[] decoded, int colon) implements BasicCredentials {
    String name() {
      return new String(decoded, 0, colon, StandardCharsets.UTF_8);
    }

    byte[] password() {
      return Arrays.copyOfRange(decoded, colon + 1, decoded.length);
    }

    @Override
    public String toString() {
      return "***";
    }
  }

  Nothing NOTHING = new Nothing();
  Unreadable UNREADABLE = new Unreadable();

  /** The maximal bytes of the encoded credentials. */
  int LONGEST = 4096;

  /** Parses the credentials; never blocks. */
  static BasicCredentials of(Fields fields) {
    int field = fields.next(FieldName.AUTHORIZATION, 0);
    if (field < 0) {
      return NOTHING;
    }
    byte[] bytes = fields.bytes();
    int start = fields.valueStart(field);
    int end = fields.valueEnd(field);
    if (fields.next(FieldName.AUTHORIZATION, field + 1) >= 0) {
      return UNREADABLE;
    }
    return isBasic(bytes, start, end) ? read(bytes, start + 6, end) : NOTHING;
  }

  /** Returns whether the request has such credentials, readable or not. */
  static boolean areIn(Fields fields) {
    for (int i = fields.next(FieldName.AUTHORIZATION, 0); i >= 0; i = fields.next(FieldName.AUTHORIZATION, i + 1)) {
      if (isBasic(fields.bytes(), fields.valueStart(i), fields.valueEnd(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBasic(byte[] bytes, int start, int end) {
    if (end - start < 6 || bytes[start + 5] != ' ') {
      return false;
    }
    for (int i = 0; i < 5; i++) {
      if ((bytes[start + i] | 0x20) != "basic".charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static BasicCredentials read(byte[] bytes, int from, int end) {
    int start = from;
    while (start < end && bytes[start] == ' ') {
      start++;
    }
    if (end - start > LONGEST) {
      return UNREADABLE;
    }
    byte[] decoded;
    try {
      decoded = Base64.getDecoder().decode(Arrays.copyOfRange(bytes, start, end));
    } catch (IllegalArgumentException e) {
      return UNREADABLE;
    }
    int colon = -1;
    boolean ascii = true;
    for (int i = 0; i < decoded.length; i++) {
      byte b = decoded[i];
      if (b >= 0 && b < 0x20 || b == 0x7f) {
        return UNREADABLE;
      }
      ascii &= b >= 0;
      if (b == ':' && colon < 0) {
        colon = i;
      }
    }
    return colon < 0 || !ascii && !isUtf8(decoded) ? UNREADABLE : new Sent(decoded, colon);
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
