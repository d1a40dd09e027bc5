package dev.gatehouse.idp.edge;

import dev.gatehouse.idp.endpoint.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All addresses below {@code /realms/{realm}/}, and those of its metadata at the root; each path stands once. */
public final class Routes {

  /** A path of ours, taken apart; whether the realm and the route exist is another question. */
  record Target(String realm, String path) {}

  private static final String REALMS = "/realms/";
  private static final int LONGEST_REALM = 63;
  private static final int LONGEST_REST = 100;

  /** Metadata with the issuer's path behind the well-known part (RFC 8414, section 3.1; RFC 8615). */
  private static final Pattern WELL_KNOWN =
      Pattern.compile("/(\\.well-known/(?:oauth-authorization-server|openid-configuration))/realms/([a-z0-9-]{1,63})");

  private final Map<String, Route> byPath;

  public Routes(List<Route> routes) {
    this.byPath = routes.stream().collect(Collectors.toUnmodifiableMap(Route::path, Function.identity()));
  }

  Optional<Route> find(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  /** The realm and the rest; empty where the path cannot be one of ours. */
  static Optional<Target> target(String rawPath) {
    if (!rawPath.startsWith(REALMS)) {
      return wellKnown(rawPath);
    }
    int slash = rawPath.indexOf('/', REALMS.length());
    String realm = rawPath.substring(REALMS.length(), slash < 0 ? rawPath.length() : slash);
    String rest = slash < 0 ? "" : rawPath.substring(slash + 1);
    boolean isOurs =
        !realm.isEmpty()
            && realm.length() <= LONGEST_REALM
            && rest.length() <= LONGEST_REST
            && isOf(realm, "-")
            && isOf(rest, "-/._");
    return isOurs ? Optional.of(new Target(realm, rest)) : Optional.empty();
  }

  private static Optional<Target> wellKnown(String rawPath) {
    Matcher matcher = WELL_KNOWN.matcher(rawPath);
    return matcher.matches() ? Optional.of(new Target(matcher.group(2), matcher.group(1))) : Optional.empty();
  }

  /** Whether there is nothing but lower-case letters, digits and those signs. */
  private static boolean isOf(String text, String signs) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || signs.indexOf(c) >= 0;
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whatever a server, a proxy or a person might read in two ways: escapes, parameters, dots, doubled slashes. None of our
   * paths needs any of this, so it is refused and not resolved.
   */
  static boolean isAmbiguous(String rawPath) {
    if (!rawPath.startsWith("/")) {
      return true;
    }
    for (int i = 0; i < rawPath.length(); i++) {
      char c = rawPath.charAt(i);
      boolean ambiguous =
          c <= ' '
              || c == 0x7f
              || c == '%'
              || c == ';'
              || c == '\\'
              || (c == '/' && (rawPath.startsWith("/", i + 1) || isDots(rawPath, i + 1)));
      if (ambiguous) {
        return true;
      }
    }
    return false;
  }

  /** Whether the segment that begins there is one dot or two. */
  private static boolean isDots(String rawPath, int start) {
    int end = rawPath.indexOf('/', start);
    String segment = rawPath.substring(start, end < 0 ? rawPath.length() : end);
    return segment.equals(".") || segment.equals("..");
  }
}
