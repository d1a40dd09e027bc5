package dev.gatehouse.gateway.route;

import dev.gatehouse.gateway.message.Ascii;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The full normalisation for {@link RequestPath}: first escapes, then segments. Used once. */
final class PathNormaliser {

  private final byte[] bytes;
  private final int end;
  private int at;

  PathNormaliser(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  Optional<RequestPath> normalise() {
    StringBuilder unescaped = new StringBuilder(end - at);
    while (at < end) {
      byte b = bytes[at];
      boolean fine = b == '%' ? escape(unescaped) : literal(b, unescaped);
      if (!fine) {
        return Optional.empty();
      }
    }
    return isUtf8(unescaped) && !isEscapedTwice(unescaped) ? segments(unescaped.toString()) : Optional.empty();
  }

  /** Returns whether an escaped percent sign precedes two hexadecimal digits, literal or escaped. */
  private static boolean isEscapedTwice(CharSequence path) {
    for (int i = 0; i + 4 < path.length(); i++) {
      boolean percent = path.charAt(i) == '%' && path.charAt(i + 1) == '2' && path.charAt(i + 2) == '5';
      if (percent && Ascii.isHex((byte) path.charAt(i + 3)) && Ascii.isHex((byte) path.charAt(i + 4))) {
        return true;
      }
    }
    return false;
  }

  private boolean literal(byte b, StringBuilder out) {
    if (b <= 0x20 || b == 0x7f || b == '\\' || b == '#') {
      return false;
    }
    out.append((char) b);
    at++;
    return true;
  }

  private boolean escape(StringBuilder out) {
    if (end - at < 3 || !Ascii.isHex(bytes[at + 1]) || !Ascii.isHex(bytes[at + 2])) {
      return false;
    }
    int value = Ascii.hexValue(bytes[at + 1]) << 4 | Ascii.hexValue(bytes[at + 2]);
    at += 3;
    if (value < 0x20 || value == 0x7f || value == '/' || value == '\\') {
      return false;
    }
    boolean letterOrDigit = value < 128 && Character.isLetterOrDigit(value);
    if (letterOrDigit || value == '-' || value == '.' || value == '_' || value == '~') {
      out.append((char) value);
    } else {
      out.append('%').append("0123456789ABCDEF".charAt(value >> 4)).append("0123456789ABCDEF".charAt(value & 15));
    }
    return true;
  }

  /** Returns whether the escapes are UTF-8 in its only valid form: an overlong slash or dot is not. */
  private static boolean isUtf8(CharSequence path) {
    byte[] raw = new byte[path.length()];
    int length = 0;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '%') {
        raw[length++] = (byte) Integer.parseInt(path, i + 1, i + 3, 16);
        i += 2;
      } else {
        raw[length++] = (byte) c;
      }
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw, 0, length));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static Optional<RequestPath> segments(String path) {
    List<String> segments = new ArrayList<>();
    boolean folder = false;
    for (String segment : path.substring(1).split("/", -1)) {
      String name = withoutParameters(segment);
      boolean own = name.length() < segment.length();
      folder = true;
      switch (name) {
        case "." -> {
          if (own) {
            return Optional.empty();
          }
        }
        case ".." -> {
          if (own || segments.isEmpty()) {
            return Optional.empty();
          }
          segments.removeLast();
        }
        case "" -> {
          if (own) {
            return Optional.empty();
          }
        }
        default -> {
          segments.add(segment);
          folder = false;
        }
      }
    }
    String value = joined(segments, folder);
    List<String> names = segments.stream().map(PathNormaliser::withoutParameters).toList();
    return Optional.of(new RequestPath(value, names.equals(segments) ? value : joined(names, folder)));
  }

  private static String joined(List<String> segments, boolean folder) {
    return "/" + String.join("/", segments) + (folder && !segments.isEmpty() ? "/" : "");
  }

  /** The segment up to a semicolon, escaped or not, because some containers unescape first. */
  private static String withoutParameters(String segment) {
    int literal = segment.indexOf(';');
    int escaped = segment.indexOf("%3B");
    if (literal < 0 && escaped < 0) {
      return segment;
    }
    int cut = literal < 0 ? escaped : escaped < 0 ? literal : Math.min(literal, escaped);
    return segment.substring(0, cut);
  }
}
