package dev.gatehouse.common.http;

import java.net.URI;
import java.util.Locale;

/**
 * A web origin, normalised: lower-case scheme and host, explicit port (RFC 6454, section 4).
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower case; IPv6 in brackets
 * @param port 1 to 65535; the scheme's default if the URL names none
 */
public record Origin(String scheme, String host, int port) {

  public Origin {
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException("an origin's scheme is http or https, not: " + scheme);
    }
    if (host.isEmpty() || port < 1 || port > 65535) {
      throw new IllegalArgumentException("an origin needs a host and a port from 1 to 65535");
    }
    host = host.toLowerCase(Locale.ROOT);
  }

  /** The origin of an absolute http(s) URL; throws {@link IllegalArgumentException} for anything else. */
  public static Origin of(URI url) {
    String scheme = url.getScheme();
    String host = url.getHost();
    if (scheme == null || host == null) {
      throw new IllegalArgumentException("not an absolute http or https URL: " + url);
    }
    scheme = scheme.toLowerCase(Locale.ROOT);
    int port = url.getPort() != -1 ? url.getPort() : scheme.equals("https") ? 443 : 80;
    return new Origin(scheme, host, port);
  }

  public boolean isSecure() {
    return scheme.equals("https");
  }

  /** Returns {@code host}, or {@code host:port} for a port other than the default: the value of a Host header. */
  public String authority() {
    return port == (isSecure() ? 443 : 80) ? host : host + ":" + port;
  }

  /** Returns the serialisation that browsers send in {@code Origin} headers. */
  @Override
  public String toString() {
    return scheme + "://" + authority();
  }
}
