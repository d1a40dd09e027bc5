package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import java.util.Optional;

/**
 * Parses {@code host[:port]} strictly (RFC 9110, section 7.2): a name of letters, digits, hyphens and dots, or an
 * address.
 */
final class Authority {

  private static final int LONGEST = 255;

  private Authority() {}

  /**
   * The origin of that authority; empty if it is malformed, for example because of user information, a trailing dot, or
   * a port out of range.
   */
  static Optional<Origin> origin(String scheme, String authority) {
    int colon = authority.startsWith("[") ? authority.indexOf(':', authority.indexOf(']') + 1) : authority.indexOf(':');
    String host = colon < 0 ? authority : authority.substring(0, colon);
    if (!isHost(host)) {
      return Optional.empty();
    }
    int port = scheme.equals("https") ? 443 : 80;
    if (colon >= 0) {
      port = port(authority, colon + 1);
    }
    return port < 1 || port > 65535 ? Optional.empty() : Optional.of(new Origin(scheme, host, port));
  }

  private static int port(String text, int start) {
    if (start == text.length() || text.length() - start > 5) {
      return -1;
    }
    int port = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      port = port * 10 + c - '0';
    }
    return port;
  }

  private static boolean isHost(String host) {
    if (host.isEmpty() || host.length() > LONGEST) {
      return false;
    }
    if (host.startsWith("[")) {
      boolean closed = host.endsWith("]") && host.length() > 3;
      return closed && isMadeOf(host, 1, host.length() - 1, "0123456789abcdefABCDEF:.");
    }
    boolean letters =
        isMadeOf(host, 0, host.length(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._");
    return letters && !host.startsWith(".") && !host.endsWith(".") && !host.contains("..");
  }

  private static boolean isMadeOf(String text, int start, int end, String allowed) {
    for (int i = start; i < end; i++) {
      if (allowed.indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }
}
