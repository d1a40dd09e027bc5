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
 * @param simple whether it is known to have no capital letter and nothing that any server reads in another way
 */
public record RequestPath(String value, String withoutParameters, boolean simple) {

  /** Taken as it is, as long as the signs beside it are. */
  private static final byte PLAIN = 1;

  /** Read in another way by some server. */
  private static final byte ODD = 2;

  private static final byte[] CLASS = new byte[128];

  static {
    for (char c = 0x21; c < 0x7f; c++) {
      boolean odd = c >= 'A' && c <= 'Z' || LooseReading.isOdd(c);
      CLASS[c] = (byte) (("%;\\#?/.".indexOf(c) < 0 ? PLAIN : 0) | (odd ? ODD : 0));
    }
  }

  RequestPath(String value, String withoutParameters) {
    this(value, withoutParameters, false);
  }

  /** The normalised path of raw bytes that begin with a slash; empty where they are ambiguous. */
  public static Optional<RequestPath> of(byte[] bytes, int start, int end) {
    int signs = normal(bytes, start, end);
    if ((signs & PLAIN) != 0) {
      String path = Ascii.string(bytes, start, end);
      return Optional.of(new RequestPath(path, path, (signs & ODD) == 0));
    }
    return new PathNormaliser(bytes, start, end).normalise();
  }

  /**
   * {@link #PLAIN} where there is nothing to do: no escape, no parameter, no empty segment, none that begins with a dot; with
   * {@link #ODD} where some server reads it in another way.
   */
  private static int normal(byte[] bytes, int start, int end) {
    byte previous = 0;
    int signs = PLAIN;
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      if (b < 0) {
        return 0;
      }
      byte kind = CLASS[b];
      if ((kind & PLAIN) == 0) {
        boolean fine = b == '/' && previous != '/' || b == '.' && previous != '/';
        if (!fine) {
          return 0;
        }
        signs |= b == '/' && previous == '.' ? ODD : 0;
      }
      signs |= kind;
      previous = b;
    }
    return previous == '.' ? signs | ODD : signs;
  }
}
