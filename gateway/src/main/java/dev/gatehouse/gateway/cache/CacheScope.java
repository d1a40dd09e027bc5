package dev.gatehouse.gateway.cache;

import com.github.benmanes.caffeine.cache.Interner;
import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.common.realm.CacheConfig.Sharing;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.Realm;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache of one configured route. Equal configuration of the same realm yields the same object, also after a reload;
 * any change of a route (its app, its rules, its cache) yields another scope, which is empty at first.
 */
public final class CacheScope {

  private static final Logger LOG = LoggerFactory.getLogger(CacheScope.class);

  private static final int MAX_REPORTED = 16;

  private static final Interner<CacheScope> SCOPES = Interner.newWeakInterner();

  private final String realm;
  private final RouteConfig route;
  private final CacheConfig config;
  private final RoleKey.Maker roles;
  private final Set<String> injected;
  private final PassedFields passes;
  private final Set<String> reported = ConcurrentHashMap.newKeySet();
  private final boolean sharesIdentified;
  private final int hash;

  private CacheScope(String realm, RouteConfig route, CacheConfig config) {
    this.realm = realm;
    this.route = route;
    this.config = config;
    this.roles = new RoleKey.Maker(keyRoles(route, config.sharing()));
    Set<String> names = new HashSet<>();
    route.identity().inject().headers().keySet().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    route.identity().inject().jwt().ifPresent(jwt -> names.add(jwt.header().toLowerCase(Locale.ROOT)));
    this.injected = Set.copyOf(names);
    this.passes = new PassedFields(config.request());
    this.sharesIdentified =
        switch (config.sharing()) {
          case Sharing.None none -> false;
          case Sharing.ByRule rule -> !asksMoreThanRoles(route);
          case Sharing.ByRoles named -> true;
        };
    this.hash = realm.hashCode() * 31 + route.hashCode();
  }

  /** The scope of a route; empty if the route has no cache. */
  public static Optional<CacheScope> of(String realm, RouteConfig route) {
    return route.cache().map(config -> SCOPES.intern(new CacheScope(realm, route, config)));
  }

  /** The scopes of all configured routes. */
  public static Set<CacheScope> of(Collection<Realm> realms) {
    Set<CacheScope> scopes = new HashSet<>();
    for (Realm realm : realms) {
      realm.gateway().routes().forEach(route -> of(realm.name(), route).ifPresent(scopes::add));
    }
    return scopes;
  }

  private static List<String> keyRoles(RouteConfig route, Sharing sharing) {
    return switch (sharing) {
      case Sharing.None none -> List.of();
      case Sharing.ByRoles(List<String> named) -> named;
      case Sharing.ByRule rule -> ofRule(route);
    };
  }

  /** All roles that the route's rule or its policies ask for. */
  private static List<String> ofRule(RouteConfig route) {
    Set<String> roles = new HashSet<>();
    if (route.authorization().access() instanceof Access.RequiresRole(Set<String> anyOf)) {
      roles.addAll(anyOf);
    }
    conditions(route)
        .forEach(
            condition -> {
              if (condition instanceof Condition.AnyRole(Set<String> names)) {
                roles.addAll(names);
              } else if (condition instanceof Condition.AllRoles(Set<String> names)) {
                roles.addAll(names);
              }
            });
    return List.copyOf(roles);
  }

  /**
   * Returns whether the rule distinguishes people by more than their roles; then roles alone do not determine what a person may
   * see.
   */
  private static boolean asksMoreThanRoles(RouteConfig route) {
    return conditions(route)
        .anyMatch(c -> c.asksPerson() && !(c instanceof Condition.AnyRole) && !(c instanceof Condition.AllRoles));
  }

  private static Stream<Condition> conditions(RouteConfig route) {
    return route.authorization().policies().stream()
        .flatMap(policy -> policy.rules().stream())
        .flatMap(rule -> rule.conditions().stream());
  }

  public String realm() {
    return realm;
  }

  public String route() {
    return route.name();
  }

  public CacheConfig config() {
    return config;
  }

  /** The request fields that the app gets. */
  PassedFields passes() {
    return passes;
  }

  /**
   * Logs once per name that the app's Vary names a field that the app does not get, so that an administrator can
   * configure it.
   */
  void reportUnpassed(String name) {
    if (reported.size() < MAX_REPORTED && reported.add(name)) {
      LOG.warn(
          "Route {}: the app's answers vary by the request field {}, which it does not get because the route has a cache;"
              + " where it should get it, name it in cache.keyHeaders or cache.passFields",
          this,
          name);
    }
  }

  /**
   * The part of a query that is part of the key, with its question mark.
   *
   * @param query with its question mark; empty if there is none
   */
  public String keyed(String query) {
    if (query.isEmpty() || config.request().ignoreQuery().isEmpty()) {
      return query;
    }
    StringBuilder counted = new StringBuilder(query.length());
    for (String parameter : query.substring(1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (!config.request().ignoreQuery().contains(name)) {
        counted.append(counted.isEmpty() ? '?' : '&').append(parameter);
      }
    }
    return counted.toString();
  }

  /** Returns whether responses to authenticated people may be shared at all. */
  public boolean sharesIdentified() {
    return sharesIdentified;
  }

  /** The part of the key that a person's roles form. */
  public RoleKey roles(List<String> ofPerson) {
    return roles.of(ofPerson);
  }

  /** Returns whether the gateway itself sends the identity in a field of that name, which is in lower case. */
  boolean injects(String name) {
    return injected.contains(name);
  }

  /** Returns whether the app is sent any identity data of the person. */
  boolean tellsWhoAsks() {
    InjectConfig inject = route.identity().inject();
    return !inject.headers().isEmpty()
        || !inject.query().isEmpty()
        || !inject.cookies().isEmpty()
        || inject.basic().isPresent()
        || inject.jwt().isPresent();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof CacheScope scope
            && hash == scope.hash
            && realm.equals(scope.realm)
            && route.equals(scope.route);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return realm + "/" + route.name();
  }
}
