package dev.gatehouse.gateway.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes of one path, divided by method. Compared by identity. */
final class MethodRoutes {

  private final List<Route> routes = new ArrayList<>(1);
  private final Map<String, Route> byMethod = new HashMap<>(0);
  private @Nullable Route ofAllMethods;

  /** Adds a route; if another route already has one of its methods, returns that one and changes nothing. */
  Optional<Route> add(Route route) {
    Optional<Route> other =
        route.config().match().methods().isEmpty()
            ? Optional.ofNullable(ofAllMethods)
            : route.config().match().methods().stream().flatMap(m -> Optional.ofNullable(byMethod.get(m)).stream()).findFirst();
    if (other.isEmpty()) {
      routes.add(route);
      route.config().match().methods().forEach(method -> byMethod.put(method, route));
      if (route.config().match().methods().isEmpty()) {
        ofAllMethods = route;
      }
    }
    return other;
  }

  List<Route> routes() {
    return routes;
  }

  /** The route for a method: one that names it, one that names GET for HEAD, otherwise the one without methods. */
  @Nullable Route of(String method) {
    if (byMethod.isEmpty()) {
      return ofAllMethods;
    }
    Route named = byMethod.get(method);
    if (named == null && method.equals("HEAD")) {
      named = byMethod.get("GET");
    }
    return named == null ? ofAllMethods : named;
  }
}
