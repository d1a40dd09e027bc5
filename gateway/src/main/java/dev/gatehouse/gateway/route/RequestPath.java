package dev.gatehouse.gateway.route;

import dev.gatehouse.gateway.message.Ascii;
import java.util.Optional;

/**
 * A request's path, normalised once: what is authorised is exactly what is forwarded.
 *
 * <p>Escaped unreserved characters are unescaped, other escapes are written with capital digits, empty segments are
 * dropped, {@code .} and {@code ..} are resolved (RFC 3986, section 6.2.2). Refused, because apps differ about them:
 * escaped slashes and backslashes, backslashes, control characters, an escaped percent sign in front of two hexadecimal
 * digits (escaped twice), escapes that are not well-formed UTF-8, dot segments with parameters ({@code /..;/}), and a
 * climb above the root.
 *
 * @param value begins with a slash
 * @param withoutParameters the same without {@code ;parameters} of segments, as servlet containers route; the same
 *     object where there are none. Where the two lead to different routes, the request is refused
 */
public record RequestPath(String value, String withoutParameters) {

  private static final byte PLAIN = 1;
  private static final byte[] CLASS = new byte[128];

  static {
    for (char c = 0x21; c < 0x7f; c++) {
      CLASS[c] = "%;\\#?/.".indexOf(c) < 0 ? PLAIN : 0;
    }
  }

  /** The normalised path of raw bytes that begin with a slash; empty where they are ambiguous. */
  public static Optional<RequestPath> of(byte[] bytes, int start, int end) {
    if (isNormal(bytes, start, end)) {
      String path = Ascii.string(bytes, start, end);
      return Optional.of(new RequestPath(path, path));
    }
    return new PathNormaliser(bytes, start, end).normalise();
  }

  /** Whether there is nothing to do: no escape, no parameter, no empty segment, none that begins with a dot. */
  private static boolean isNormal(byte[] bytes, int start, int end) {
    byte previous = 0;
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      if (b < 0) {
        return false;
      }
      if (CLASS[b] != PLAIN) {
        boolean fine = b == '/' && previous != '/' || b == '.' && previous != '/';
        if (!fine) {
          return false;
        }
      }
      previous = b;
    }
    return true;
  }
}
