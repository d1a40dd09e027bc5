package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import java.util.Set;

/**
 * One host: its realm, its origins, and its routes.
 *
 * @param origins all of the realm's origins on this host
 * @param withoutApps those of the origins at which only the gateway's own endpoints answer: they address single nodes
 * @param asksForPasswords whether a route of the host asks for people's passwords with HTTP Basic. Browsers then send
 *     them to other paths of the host unasked (RFC 7617, section 2.2), so no app on the host may get them
 */
public record VirtualHost(
    Realm realm, Set<Origin> origins, Set<Origin> withoutApps, PathRoutes routes, boolean asksForPasswords) {

  /** Returns whether requests may be addressed to that origin. */
  public boolean answersTo(Origin origin) {
    return origins.isEmpty() || origins.contains(origin);
  }

  /**
   * Finds the route of a request.
   *
   * @param origin one of the host's origins
   */
  public Match find(Origin origin, RequestPath path, String method) {
    return withoutApps.contains(origin) ? new Match.None() : routes.find(path, method);
  }
}
