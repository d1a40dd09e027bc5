package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Collection;
import java.util.List;

/**
 * Recognizes names of parameters and cookies that some app would take for an injected one: percent-encoded once or more
 * often, in another case, as an array ({@code uid[]}), truncated at a zero byte, or with a character that PHP reads as
 * an underscore.
 */
final class LookalikeNames {

  private static final int MAX_DECODINGS = 4;

  /**
   * Bytes of one request's names that are decoded. They cost much more than plain ones, and HTTP/2 compresses thousands of
   * names to a few bytes.
   */
  private static final int MAX_DECODED = 8 * 1024;

  /** What a name costs besides its bytes. */
  private static final int PER_NAME = 32;

  private final List<String> folded;

  LookalikeNames(Collection<String> names) {
    this.folded = names.stream().map(LookalikeNames::fold).distinct().toList();
  }

  /** A search among the parameters or the cookies of one request. */
  Search search() {
    return new Search();
  }

  /** Counts what had to be decoded. */
  final class Search {

    private int decoded;

    private Search() {}

    /** Returns whether a name must not reach the app: it is alike, or would have to be decoded after too many others. */
    boolean contains(byte[] bytes, int start, int end) {
      int plain = start;
      while (plain < end && isPlain(bytes[plain])) {
        plain++;
      }
      if (plain == end) {
        return agree(bytes, start, end, true);
      }
      // What follows can be a mark that changes the last plain character, but none before it.
      if (!agree(bytes, start, Math.max(start, plain - 1), false)) {
        return false;
      }
      decoded += end - start + PER_NAME;
      return decoded > MAX_DECODED || isAlike(Ascii.string(bytes, start, end));
    }
  }

  /** Returns whether the character stands for itself in every spelling, as itself or as an underscore. */
  private static boolean isPlain(byte b) {
    return b > ' ' && b < 0x7f && b != '%' && b != '+' && b != '[' && b != '"' && b != '$';
  }

  /**
   * Returns whether one of the names begins with these plain characters.
   *
   * @param whole whether it must have no others
   */
  private boolean agree(byte[] bytes, int start, int end, boolean whole) {
    for (int i = 0; i < folded.size(); i++) {
      String name = folded.get(i);
      boolean fits = whole ? name.length() == end - start : name.length() >= end - start;
      if (fits && begins(name, bytes, start, end)) {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(String name, byte[] bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      byte b = Ascii.folded(bytes[i]);
      if (name.charAt(i - start) != (b == '-' ? '_' : (char) b)) {
        return false;
      }
    }
    return true;
  }

  /** @param raw as received, its bytes as Latin-1 characters */
  private boolean isAlike(String raw) {
    String name = new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    for (int i = 0; i < MAX_DECODINGS; i++) {
      if (folded.contains(fold(name))) {
        return true;
      }
      String decoded = decode(name);
      if (decoded.equals(name)) {
        return false;
      }
      name = decoded;
    }
    // No legitimate client encodes a name so often.
    return true;
  }

  private static String fold(String name) {
    int end = 0;
    while (end < name.length() && name.charAt(end) != '[' && name.charAt(end) != 0) {
      end++;
    }
    String text = Normalizer.normalize(name.substring(0, end), Normalizer.Form.NFKC);
    StringBuilder folded = new StringBuilder(text.length());
    text.strip()
        .chars()
        .filter(c -> !Character.isISOControl(c) && c != '"' && c != '$')
        // Converted twice, because some letters share their upper-case form with another letter.
        .map(c -> Character.toLowerCase(Character.toUpperCase(c)))
        .forEach(c -> folded.append(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' ? (char) c : '_'));
    return folded.toString();
  }

  private static String decode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int byteValue = c == '%' ? hex(text, i + 1, 2) : -1;
      int wide = c == '%' && i + 1 < text.length() && (text.charAt(i + 1) | 0x20) == 'u' ? hex(text, i + 2, 4) : -1;
      if (byteValue >= 0) {
        bytes.write(byteValue);
        i += 2;
      } else if (wide >= 0) {
        bytes.writeBytes(String.valueOf((char) wide).getBytes(StandardCharsets.UTF_8));
        i += 5;
      } else {
        int point = c == '+' ? ' ' : text.codePointAt(i);
        if (point < 0x80) {
          bytes.write(point);
        } else {
          bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
          i += Character.charCount(point) - 1;
        }
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int hex(String text, int start, int digits) {
    if (start + digits > text.length()) {
      return -1;
    }
    int value = 0;
    for (int i = start; i < start + digits; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 0x7f) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
