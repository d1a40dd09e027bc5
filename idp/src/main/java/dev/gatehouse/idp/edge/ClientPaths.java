package dev.gatehouse.idp.edge;

import java.util.Set;

/**
 * The paths at the listener for OAuth clients' certificates: endpoints for programs (RFC 8705, section 5), and no page,
 * so that a link cannot make a browser ask for a certificate there.
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
          "connect/register",
          "otp/v1/authentications",
          "otp/v1/offline-days",
          "otp/v1/offline-uses",
          "otp/v1/openapi.json",
          "otp/v1/realm",
          "otp/v1/visitors",
          "otp/v1/visitors/known");

  private ClientPaths() {}

  static boolean isServed(String rawPath) {
    return Routes.target(rawPath).filter(target -> SERVED.contains(target.path())).isPresent();
  }
}
