package dev.gatehouse.idp.edge;

import java.util.Set;

/**
 * What the listener for OAuth clients' certificates serves: what programs call (RFC 8705, section 5), and no page, so
 * that no browser is ever asked for a certificate there by a link.
 */
final class ClientPaths {

  private static final Set<String> SERVED =
      Set.of(
          "oauth/token",
          "oauth/par",
          "oauth/introspect",
          "oauth/revoke",
          "oauth/userinfo",
          "oauth/device_authorization",
          "connect/register");

  private ClientPaths() {}

  static boolean isServed(String rawPath) {
    return Routes.target(rawPath).filter(target -> SERVED.contains(target.path())).isPresent();
  }
}
