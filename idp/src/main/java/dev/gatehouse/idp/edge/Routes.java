package dev.gatehouse.idp.edge;

import dev.gatehouse.idp.endpoint.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All addresses below {@code /realms/{realm}/}; each path stands once. */
public final class Routes {

  /** A path of ours, taken apart; whether the realm and the route exist is another question. */
  record Target(String realm, String path) {}

  private static final Pattern PATH = Pattern.compile("/realms/([a-z0-9-]{1,63})(?:/([a-z0-9/-]{0,100}))?");

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
      return Optional.empty();
    }
    String rest = matcher.group(2);
    return Optional.of(new Target(matcher.group(1), rest == null ? "" : rest));
  }

  /** None of our paths needs any of this, so it is refused and not resolved. */
  static boolean isAmbiguous(String rawPath) {
    return !rawPath.startsWith("/") || AMBIGUOUS.matcher(rawPath).find();
  }
}
