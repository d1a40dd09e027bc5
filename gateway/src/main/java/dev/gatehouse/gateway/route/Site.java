package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.policy.Trace;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One host: the realm that it belongs to, the origins under which it may be addressed, and its routes.
 *
 * @param origins all of the realm's origins on this host
 * @param routes by prefix
 * @param noRoute what a decision says where no route matches
 */
public record Site(Realm realm, Set<Origin> origins, Map<String, Route> routes, Trace noRoute) {

  /** The route with the longest prefix that ends where a segment of the path ends; costs one look-up a segment. */
  public Optional<Route> find(String path) {
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    while (true) {
      Route route = routes.get(path.substring(0, end));
      if (route != null) {
        return Optional.of(route);
      }
      if (end == 0) {
        return Optional.empty();
      }
      end = path.lastIndexOf('/', end - 1);
    }
  }
}
