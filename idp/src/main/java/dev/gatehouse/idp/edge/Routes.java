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

  private static final Pattern PATH = Pattern.compile("/realms/([a-z0-9-]{1,63})(?:/([a-z0-9/._-]{0,100}))?");

  /** Metadata with the issuer's path behind the well-known part (RFC 8414, section 3.1; RFC 8615). */
  private static final Pattern WELL_KNOWN =
      Pattern.compile("/(\\.well-known/(?:oauth-authorization-server|openid-configuration))/realms/([a-z0-9-]{1,63})");

  /** Whatever a server, a proxy or a person might read in two ways: escapes, parameters, dots, doubled slashes. */
  private static final Pattern AMBIGUOUS = Pattern.compile("[%;\\\\\\x00-\\x20\\x7f]|//|/\\.{1,2}(?:/|$)");

  private final Map<String, Route> byPath;

  public Routes(List<Route> routes) {
    this.byPath = routes.stream().collect(Collectors.toUnmodifiableMap(Route::path, Function.identity()));
  }

  Optional<Route> find(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  /** The realm and the rest; empty where the path cannot be one of ours. */
  static Optional<Target> target(String rawPath) {
    Matcher matcher = PATH.matcher(rawPath);
    if (!matcher.matches()) {
      return wellKnown(rawPath);
    }
    String rest = matcher.group(2);
    return Optional.of(new Target(matcher.group(1), rest == null ? "" : rest));
  }

  private static Optional<Target> wellKnown(String rawPath) {
    Matcher matcher = WELL_KNOWN.matcher(rawPath);
    return matcher.matches() ? Optional.of(new Target(matcher.group(2), matcher.group(1))) : Optional.empty();
  }

  /** None of our paths needs any of this, so it is refused and not resolved. */
  static boolean isAmbiguous(String rawPath) {
    return !rawPath.startsWith("/") || AMBIGUOUS.matcher(rawPath).find();
  }
}
