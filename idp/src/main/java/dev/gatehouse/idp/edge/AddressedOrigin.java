package dev.gatehouse.idp.edge;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.IdpConfig;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The origin that a request addressed, its client, and the listener on which it arrived.
 *
 * @param listenerPort the port of the listener
 * @param listenerScheme the scheme of the listener
 */
record AddressedOrigin(Origin origin, InetAddress client, int listenerPort, String listenerScheme) {

  private static final Pattern AUTHORITY =
      Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::([0-9]{1,5}))?");

  /** The origin of a Host field value; empty if the value is invalid (RFC 9110, section 7.2). */
  static Optional<Origin> origin(String scheme, String authority) {
    Matcher matcher = AUTHORITY.matcher(authority);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String port = matcher.group(2);
    int number = port != null ? Integer.parseInt(port) : scheme.equals("https") ? 443 : 80;
    if (number < 1 || number > 65535) {
      return Optional.empty();
    }
    return Optional.of(new Origin(scheme, matcher.group(1), number));
  }

  /**
   * Returns whether the realm's identity provider answers at this origin: at its publicUrl, and at the same host on
   * another listener of this node, for example the https counterpart.
   */
  boolean belongsTo(IdpConfig idp) {
    Origin home = Origin.of(idp.publicUrl());
    boolean isTwin =
        origin.host().equals(home.host())
            && origin.port() == listenerPort
            && origin.scheme().equals(listenerScheme);
    return origin.equals(home) || isTwin;
  }

  /** Returns whether nodes resolve artifacts at this origin. Nothing else answers there. */
  boolean isNodeOf(IdpConfig idp) {
    return idp.artifactNodes().stream().anyMatch(node -> origin.equals(Origin.of(node)));
  }
}
