package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import java.util.Set;

/**
 * One host: the realm that it belongs to, the origins under which it may be addressed, and its routes.
 *
 * @param origins all of the realm's origins on this host
 * @param withoutApps those among them at which only our own endpoints answer: where single nodes are addressed
 * @param asksForPasswords whether a route of the host asks for people's passwords by HTTP Basic. Browsers send them to the
 *     host's other paths unasked then (RFC 7617, section 2.2), so that no app there may get any
 */
public record VirtualHost(
    Realm realm, Set<Origin> origins, Set<Origin> withoutApps, PathRoutes routes, boolean asksForPasswords) {

  /** Whether it is addressed under that origin. */
  public boolean answersTo(Origin origin) {
    return origins.isEmpty() || origins.contains(origin);
  }

  /** What a request to an app leads to. @param origin one that it answers to */
  public Match find(Origin origin, RequestPath path, String method) {
    return withoutApps.contains(origin) ? new Match.None() : routes.find(path, method);
  }
}
