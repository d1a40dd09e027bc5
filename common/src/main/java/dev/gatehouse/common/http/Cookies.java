package dev.gatehouse.common.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reading of Cookie fields and writing of Set-Cookie fields: host-only, HttpOnly, SameSite=Lax (RFC 6265bis). */
public final class Cookies {

  private Cookies() {}

  static Optional<String> find(List<String> fields, String name) {
    for (String field : fields) {
      int start = 0;
      while (start < field.length()) {
        int end = field.indexOf(';', start);
        if (end < 0) {
          end = field.length();
        }
        int equals = field.indexOf('=', start);
        if (equals > 0 && equals < end && field.substring(start, equals).strip().equals(name)) {
          return Optional.of(field.substring(equals + 1, end).strip());
        }
        start = end + 1;
      }
    }
    return Optional.empty();
  }

  /** Returns the name of the cookie at that origin: with {@code __Host-} in front on https. */
  public static String name(Origin origin, String base) {
    return origin.isSecure() ? "__Host-" + base : base;
  }

  /** Returns a Set-Cookie value for a cookie that lives as long as the browser session. */
  public static String set(Origin origin, String base, String value) {
    return name(origin, base) + "=" + value + "; Path=/; HttpOnly; SameSite=Lax" + (origin.isSecure() ? "; Secure" : "");
  }

  /** Returns a Set-Cookie value for a cookie with that lifetime. */
  public static String set(Origin origin, String base, String value, Duration lifetime) {
    return set(origin, base, value) + "; Max-Age=" + lifetime.toSeconds();
  }

  /** Returns a Set-Cookie value that removes the cookie. */
  public static String remove(Origin origin, String base) {
    return set(origin, base, "", Duration.ZERO);
  }
}
