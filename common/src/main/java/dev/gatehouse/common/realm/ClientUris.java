package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Loopback;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The rules for redirect URIs of clients, configured or registered. */
public final class ClientUris {

  /** Schemes that a browser would execute or read itself. */
  private static final Set<String> NEVER = Set.of("javascript", "data", "vbscript", "file", "blob", "about", "filesystem");

  private ClientUris() {}

  /**
   * Returns the problem of a redirect URI, if any. It must be absolute, without fragment (RFC 6749, section 3.1.2) and without
   * user information. http is permitted only to loopback, other schemes only if an app can own them (RFC 8252, section 7.1).
   */
  public static Optional<String> problem(String text) {
    if (text.indexOf('*') >= 0) {
      return Optional.of(
          "has a wildcard: redirect URIs are compared letter by letter (RFC 9700, section 2.1), or codes could be sent to pages that"
              + " the client does not guard");
    }
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      return Optional.of("is not an address");
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (scheme.isEmpty()) {
      return Optional.of("is not absolute");
    }
    if (text.indexOf('#') >= 0) {
      return Optional.of("has a fragment");
    }
    if (uri.getRawUserInfo() != null) {
      return Optional.of("has a user name");
    }
    return switch (scheme) {
      case "https" -> uri.getHost() == null ? Optional.of("has no host") : Optional.empty();
      case "http" ->
          uri.getHost() != null && Loopback.isName(uri.getHost())
              ? Optional.empty()
              : Optional.of("is http, where anybody on the way reads the answer");
      default ->
          NEVER.contains(scheme) || scheme.indexOf('.') < 0
              ? Optional.of("has a scheme that no app can own; write one with a dot, like org.example.app")
              : Optional.empty();
    };
  }

  /**
   * Returns the one host of all redirect URIs: the sector of a client that names none (OpenID Connect Core 8.1). Empty if they have
   * several, or if one of them proves none.
   */
  public static Optional<String> sector(List<String> redirectUris) {
    List<Optional<String>> hosts = redirectUris.stream().map(ClientUris::host).distinct().toList();
    return hosts.size() == 1 ? hosts.getFirst() : Optional.empty();
  }

  /**
   * Returns the host to which a redirect URI leads. Empty for an app's private scheme: an app can write somebody else's host behind its
   * scheme, or call the scheme like that host. The hosts of loopback are shared by the apps there, and are nobody else's.
   */
  public static Optional<String> host(String redirectUri) {
    try {
      URI uri = new URI(redirectUri);
      return Optional.ofNullable(uri.getHost())
          .filter(
              host ->
                  "https".equalsIgnoreCase(uri.getScheme())
                      || "http".equalsIgnoreCase(uri.getScheme()) && Loopback.isName(host));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
