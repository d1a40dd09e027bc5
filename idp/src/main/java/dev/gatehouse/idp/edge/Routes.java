package dev.gatehouse.idp.edge;

import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * All addresses below {@code /realms/{realm}/}, and those of the realm's metadata at the root. Each path occurs once.
 */
public final class Routes {

  /** The parts of one of our paths. Does not say whether the realm and the route exist. */
  record Target(String realm, String path) {}

  private static final String REALMS = "/realms/";
  private static final String AGENTS = "otp/";
  private static final int LONGEST_REALM = 63;
  private static final int LONGEST_REST = 100;

  /** Metadata paths with the issuer's path after the well-known part (RFC 8414, section 3.1; RFC 8615). */
  private static final Pattern WELL_KNOWN =
      Pattern.compile("/(\\.well-known/(?:oauth-authorization-server|openid-configuration))/realms/([a-z0-9-]{1,63})");

  private final Map<String, Route> byPath;

  public Routes(List<RouteGroup> groups) {
    this.byPath =
        groups.stream()
            .flatMap(group -> group.routes().stream())
            .collect(Collectors.toUnmodifiableMap(Route::path, Function.identity()));
  }

  /** Returns what agents that ask about passcodes need: a replica of one-time passwords answers nobody else. */
  public static List<RouteGroup> ofAgents(List<RouteGroup> groups) {
    return groups.stream()
        .map(group -> new RouteGroup(group.routes().stream().filter(route -> route.path().startsWith(AGENTS)).toList()))
        .toList();
  }

  Optional<Route> find(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  /** Splits a path into realm and rest; empty if the path cannot be one of ours. */
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

  /** Returns whether the text contains only lower-case letters, digits and these characters. */
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
   * Returns whether the path contains anything that servers or proxies may interpret differently: escapes, parameters,
   * dot segments, doubled slashes. None of our paths needs these, so such a path is refused and not resolved.
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

  /** Returns whether the segment that begins there is one dot or two. */
  private static boolean isDots(String rawPath, int start) {
    int end = rawPath.indexOf('/', start);
    String segment = rawPath.substring(start, end < 0 ? rawPath.length() : end);
    return segment.equals(".") || segment.equals("..");
  }
}
