package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.idp.oauth.client.Client;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks whether a redirect URI is the client's, by exact comparison (RFC 9700, section 2.1). On loopback addresses the
 * port may differ, because apps get theirs from the operating system (RFC 8252, section 7.3); that of the console may not.
 */
final class RedirectUris {

  private static final Pattern PORT = Pattern.compile("(?::([0-9]{1,5}))?(.*)", Pattern.DOTALL);

  private RedirectUris() {}

  static boolean lists(Client client, String sent) {
    List<String> registered = client.config().permissions().redirectUris();
    return registered.contains(sent)
        || client.origin() != Client.Origin.BUILT_IN && registered.stream().anyMatch(own -> differsInPortAlone(own, sent));
  }

  /** The received text is never parsed as an address: it must begin and end like the registered one. */
  private static boolean differsInPortAlone(String own, String sent) {
    Optional<String> start = loopback(own);
    if (start.isEmpty() || !sent.startsWith(start.get())) {
      return false;
    }
    Matcher ours = PORT.matcher(own.substring(start.get().length()));
    Matcher theirs = PORT.matcher(sent.substring(start.get().length()));
    return ours.matches() && theirs.matches() && isPort(theirs.group(1)) && ours.group(2).equals(theirs.group(2));
  }

  /** The beginning of a registered loopback URI, such as {@code http://127.0.0.1}. */
  private static Optional<String> loopback(String own) {
    String host = own.startsWith("http://") ? URI.create(own).getHost() : null;
    return host != null && Loopback.isName(host) && own.startsWith("http://" + host)
        ? Optional.of("http://" + host)
        : Optional.empty();
  }

  private static boolean isPort(@org.jspecify.annotations.Nullable String digits) {
    return digits == null || Integer.parseInt(digits) >= 1 && Integer.parseInt(digits) <= 65535;
  }
}
