package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import java.util.Set;

/**
 * One host: the realm that it belongs to, the origins under which it may be addressed, and its routes.
 *
 * @param origins all of the realm's origins on this host
 * @param withoutApps those among them at which only our own endpoints answer: where single nodes are addressed
 */
public record Site(Realm realm, Set<Origin> origins, Set<Origin> withoutApps, PathRoutes routes) {}
