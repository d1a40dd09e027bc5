package dev.gatehouse.gateway.accesslog;

import java.nio.charset.StandardCharsets;

/**
 * A buffer for lines. All received data is written as visible ASCII, and everything else is escaped, so that no request
 * can begin a line, end a value, or send control sequences to a terminal that shows the log.
 */
final class LineBuffer {

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** The notation for bytes that must be escaped. */
  enum Escape {
    /** A backslash, u and four hexadecimal digits. */
    JSON,
    /** A backslash, x and two hexadecimal digits. */
    COMBINED
  }

  private byte[] bytes;
  private int length;

  LineBuffer(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Starts over in another array. */
  void reset(byte[] fresh) {
    bytes = fresh;
    length = 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  int room() {
    return bytes.length - length;
  }

  /** Appends bytes that need no escaping. */
  LineBuffer put(byte[] own) {
    System.arraycopy(own, 0, bytes, length, own.length);
    length += own.length;
    return this;
  }

  LineBuffer put(char ascii) {
    bytes[length++] = (byte) ascii;
    return this;
  }

  LineBuffer put(long number) {
    if (number < 0) {
      return put('-').put(-number);
    }
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    long rest = number;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
    return this;
  }

  /** Appends a number below 1,000 in three digits. */
  LineBuffer putThree(int number) {
    return put((char) ('0' + number / 100)).put((char) ('0' + number / 10 % 10)).put((char) ('0' + number % 10));
  }

  /** Appends received bytes, escaped, up to {@code most} of them. */
  LineBuffer escaped(byte[] from, int start, int end, int most, Escape escape) {
    int stop = Math.min(end, start + most);
    for (int i = start; i < stop; i++) {
      escaped(from[i], escape);
    }
    return stop < end ? put('.').put('.').put('.') : this;
  }

  /** Appends a text, escaped; other characters than ASCII as UTF-8 or as JSON escapes. */
  LineBuffer escaped(String text, int most, Escape escape) {
    boolean ascii = true;
    for (int i = 0; i < text.length(); i++) {
      ascii &= text.charAt(i) < 0x80;
    }
    if (!ascii) {
      return escapedUnicode(text, most, escape);
    }
    int stop = Math.min(text.length(), most);
    for (int i = 0; i < stop; i++) {
      escaped((byte) text.charAt(i), escape);
    }
    return stop < text.length() ? put('.').put('.').put('.') : this;
  }

  private LineBuffer escapedUnicode(String text, int most, Escape escape) {
    switch (escape) {
      case COMBINED -> {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return escaped(utf8, 0, utf8.length, most, escape);
      }
      case JSON -> {
        int stop = Math.min(text.length(), most);
        for (int i = 0; i < stop; i++) {
          char c = text.charAt(i);
          if (c < 0x80) {
            escaped((byte) c, escape);
          } else {
            put('\\').put('u').hex(c >> 8).hex(c & 0xff);
          }
        }
        return stop < text.length() ? put('.').put('.').put('.') : this;
      }
    }
    return this;
  }

  private void escaped(byte b, Escape escape) {
    if (b >= 0x20 && b < 0x7f && b != '"' && b != '\\') {
      bytes[length++] = b;
      return;
    }
    switch (escape) {
      case JSON -> {
        if (b == '"' || b == '\\') {
          put('\\').put((char) b);
        } else {
          put('\\').put('u').put('0').put('0').hex(b & 0xff);
        }
      }
      case COMBINED -> put('\\').put('x').hex(b & 0xff);
    }
  }

  private LineBuffer hex(int number) {
    bytes[length++] = HEX[number >> 4 & 15];
    bytes[length++] = HEX[number & 15];
    return this;
  }
}
