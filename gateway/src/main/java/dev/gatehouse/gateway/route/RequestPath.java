package dev.gatehouse.gateway.route;

import dev.gatehouse.gateway.message.Ascii;
import java.util.Optional;

/**
 * A request's path, normalised once: the authorized path is exactly the forwarded one.
 *
 * <p>Escaped unreserved characters are unescaped, other escapes are written with upper-case digits, empty segments are
 * dropped, {@code .} and {@code ..} are resolved (RFC 3986, section 6.2.2). The following are refused because apps
 * interpret them differently: escaped slashes and backslashes, backslashes, control characters, an escaped percent sign
 * before two hexadecimal digits (double escaping), escapes that are not well-formed UTF-8, dot segments with parameters
 * ({@code /..;/}), and {@code ..} above the root.
 *
 * @param value begins with a slash
 * @param withoutParameters the path without {@code ;parameters} of segments, as servlet containers route; the same
 *     object if there are none. If the two lead to different routes, the request is refused
 * @param simple whether the path is known to have no upper-case letter and nothing that some server reads differently
 */
public record RequestPath(String value, String withoutParameters, boolean simple) {

  /** Needs no normalisation, depending on the characters beside it. */
  private static final byte PLAIN = 1;

  /** Some server reads it differently. */
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

  /** The normalised path of raw bytes that begin with a slash; empty if they are ambiguous. */
  public static Optional<RequestPath> of(byte[] bytes, int start, int end) {
    int classes = classify(bytes, start, end);
    if ((classes & PLAIN) != 0) {
      String path = Ascii.string(bytes, start, end);
      return Optional.of(new RequestPath(path, path, (classes & ODD) == 0));
    }
    return new PathNormaliser(bytes, start, end).normalise();
  }

  /**
   * Contains {@link #PLAIN} if nothing must be normalised: no escape, no parameter, no empty segment, none that begins
   * with a dot; and {@link #ODD} if some server reads the path differently.
   */
  private static int classify(byte[] bytes, int start, int end) {
    byte previous = 0;
    int classes = PLAIN;
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
        classes |= b == '/' && previous == '.' ? ODD : 0;
      }
      classes |= kind;
      previous = b;
    }
    return previous == '.' ? classes | ODD : classes;
  }
}
