package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.gateway.cache.CacheScope;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.filter.RequestFieldsFilter;
import dev.gatehouse.gateway.filter.StrippedNames;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.policy.RuleSets;
import dev.gatehouse.gateway.upstream.Upstream;
import dev.gatehouse.gateway.upstream.Upstreams;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The compiled hosts and routes of all realms. Immutable; a change of the configuration creates a new table. */
public final class RouteTable {

  private static final Logger LOG = LoggerFactory.getLogger(RouteTable.class);

  private final Map<String, VirtualHost> sites;
  private final RequestFieldsFilter requestFields;

  private RouteTable(Map<String, VirtualHost> sites, RequestFieldsFilter requestFields) {
    this.sites = Map.copyOf(sites);
    this.requestFields = requestFields;
  }

  /** A table for queries only: its servers do not receive requests. */
  public static RouteTable of(Collection<Realm> realms, boolean apps) {
    return of(realms, apps, Upstreams.detached().draft());
  }

  /**
   * @param apps whether this node serves apps; otherwise only the gateway's own endpoints have a host
   * @param upstreams collects the apps' servers
   */
  public static RouteTable of(Collection<Realm> realms, boolean apps, Upstreams.Draft upstreams) {
    Map<String, VirtualHost> sites = new HashMap<>();
    Set<String> injected = new HashSet<>();
    for (Realm realm : realms) {
      Map<String, Set<Origin>> origins = byHost(appOrigins(realm));
      Map<String, Set<Origin>> nodes = byHost(nodeOrigins(realm));
      Map<String, PathRoutes> routes = new HashMap<>();
      Set<String> askingForPasswords = new HashSet<>();
      RuleSets policies = new RuleSets();
      for (RouteConfig route : apps ? realm.gateway().routes() : List.<RouteConfig>of()) {
        injected.addAll(route.identity().inject().headers().keySet());
        route.identity().inject().jwt().filter(jwt -> !jwt.isBearer()).ifPresent(jwt -> injected.add(jwt.header()));
        AccessRule rule = AccessRule.of(realm.name(), route, policies);
        Upstream app = upstreams.add(route.upstream());
        Route compiled = new Route(route, app, rule,
                IdentityFilter.conventional(realm.name(), route.identity().inject()),
                CacheScope.of(realm.name(), route), upstreams.timer(realm.name(), route.name(), app));
        for (String host : route.match().hosts()) {
          add(realm, compiled, routes.computeIfAbsent(host.toLowerCase(Locale.ROOT), h -> new PathRoutes()));
          if (route.signOn().contract() instanceof SignOnContract.Basic) {
            askingForPasswords.add(host.toLowerCase(Locale.ROOT));
          }
        }
      }
      Set<String> hosts = new HashSet<>(origins.keySet());
      hosts.addAll(nodes.keySet());
      hosts.addAll(routes.keySet());
      for (String host : hosts) {
        Set<Origin> ofApps = origins.getOrDefault(host, Set.of());
        Set<Origin> all = new HashSet<>(ofApps);
        all.addAll(nodes.getOrDefault(host, Set.of()));
        Set<Origin> withoutApps = new HashSet<>(all);
        withoutApps.removeAll(ofApps);
        sites.put(
            host,
            new VirtualHost(
                realm,
                Set.copyOf(all),
                Set.copyOf(withoutApps),
                routes.getOrDefault(host, new PathRoutes()),
                askingForPasswords.contains(host)));
      }
    }
    return new RouteTable(sites, new RequestFieldsFilter(new StrippedNames(injected)));
  }

  /** The host with that name, which is in lower case. */
  public Optional<VirtualHost> site(String host) {
    return Optional.ofNullable(sites.get(host));
  }

  /** The filter of clients' fields; it knows every name that some route injects. */
  public RequestFieldsFilter requestFields() {
    return requestFields;
  }

  private static Stream<Origin> appOrigins(Realm realm) {
    return realm.sp().stream().flatMap(sp -> Stream.concat(Stream.of(sp.home()), sp.otherOrigins().stream()));
  }

  /** The origins at which single nodes resolve artifacts. */
  private static Stream<Origin> nodeOrigins(Realm realm) {
    return realm.sp().stream().flatMap(sp -> sp.artifactNodes().stream()).map(Origin::of);
  }

  private static Map<String, Set<Origin>> byHost(Stream<Origin> origins) {
    Map<String, Set<Origin>> byHost = new HashMap<>();
    origins.forEach(origin -> byHost.computeIfAbsent(origin.host(), host -> new HashSet<>()).add(origin));
    return byHost;
  }

  private static void add(Realm realm, Route route, PathRoutes routes) {
    routes
        .add(route)
        .ifPresent(
            other ->
                // The loader refuses such routes; if this happens nevertheless, the first route is used, and the error
                // is logged.
                LOG.error("realm {}: routes {} and {} have the same path", realm.name(), other.name(), route.name()));
  }
}
