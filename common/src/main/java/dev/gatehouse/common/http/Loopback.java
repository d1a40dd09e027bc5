package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.util.Locale;

/** Names of this machine: {@code localhost}, all names below {@code .localhost} (RFC 6761, section 6.3), 127/8 and ::1. */
public final class Loopback {

  private Loopback() {}

  /** Returns whether the host of a URL (IPv6 with or without brackets) is loopback; resolves nothing. */
  public static boolean isName(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    if (name.equals("localhost") || isBelowLocalhost(name)) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(name.replace("[", "").replace("]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns whether the name is below {@code .localhost}; resolvers of many machines do not know such names. */
  public static boolean isBelowLocalhost(String host) {
    return host.toLowerCase(Locale.ROOT).endsWith(".localhost");
  }
}
