package dev.gatehouse.idp.edge;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.IdpConfig;
import java.net.InetAddress;
import java.util.Optional;

/**
 * The origin that a request addressed, its client, and the listener on which it arrived.
 *
 * @param listenerPort the port of the listener
 * @param listenerScheme the scheme of the listener
 */
record AddressedOrigin(Origin origin, InetAddress client, int listenerPort, String listenerScheme) {

  private static final int LONGEST_NAME = 253;
  private static final int SHORTEST_LITERAL = 2;
  private static final int LONGEST_LITERAL = 45;
  private static final int LONGEST_PORT = 5;

  /** The origin of a Host field value; empty if the value is invalid (RFC 9110, section 7.2). Each request needs it. */
  static Optional<Origin> origin(String scheme, String authority) {
    int end = hostEnd(authority);
    if (end < 0) {
      return Optional.empty();
    }
    int port = end < authority.length() ? port(authority, end) : scheme.equals("https") ? 443 : 80;
    return port < 1 || port > 65535 ? Optional.empty() : Optional.of(new Origin(scheme, authority.substring(0, end), port));
  }

  /** Returns where the name, or the IPv6 address in brackets, ends; -1 if there is neither. */
  private static int hostEnd(String authority) {
    boolean isLiteral = authority.startsWith("[");
    int start = isLiteral ? 1 : 0;
    int at = start;
    while (at < authority.length() && (isLiteral ? isOfLiteral(authority.charAt(at)) : isOfName(authority.charAt(at)))) {
      at++;
    }
    int length = at - start;
    if (!isLiteral) {
      return length >= 1 && length <= LONGEST_NAME ? at : -1;
    }
    boolean fits = length >= SHORTEST_LITERAL && length <= LONGEST_LITERAL && authority.startsWith("]", at);
    return fits ? at + 1 : -1;
  }

  private static boolean isOfName(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
  }

  private static boolean isOfLiteral(char c) {
    return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' || c == ':' || c == '.';
  }

  /** Returns the number behind the colon there; -1 if there is none of at most five digits. */
  private static int port(String authority, int colon) {
    int digits = authority.length() - colon - 1;
    if (authority.charAt(colon) != ':' || digits < 1 || digits > LONGEST_PORT) {
      return -1;
    }
    int port = 0;
    for (int i = colon + 1; i < authority.length(); i++) {
      int digit = authority.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      port = 10 * port + digit;
    }
    return port;
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
