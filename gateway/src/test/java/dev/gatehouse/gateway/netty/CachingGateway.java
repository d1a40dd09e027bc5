package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.common.realm.CacheConfig.Sharing;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A gateway whose routes keep responses: {@code /public/} for anybody, {@code /shared/} by the roles manager and editor of
 * which the rule asks for one, {@code /people/} for anybody who is logged in and shared among them, {@code /private/} for
 * anybody who is logged in and not shared.
 */
final class CachingGateway {

  static final Map<String, String> INJECT = Map.of("Remote-User", "user", "Remote-Groups", "groups");

  private CachingGateway() {}

  static TestGateway before(RawApp app) {
    return before(app, config -> config);
  }

  /** @param change of what {@code /public/} keeps */
  static TestGateway before(RawApp app, UnaryOperator<CacheConfig> change) {
    return TestGateway.of(realm(app, change));
  }

  static Realm realm(RawApp app, UnaryOperator<CacheConfig> change) {
    URI at = URI.create("http://127.0.0.1:" + app.port());
    CacheConfig shared = TestRoutes.sharing(new Sharing.ByRule());
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            TestRoutes.withCache(route("public", at, new Access.Public()), change.apply(CacheConfig.USUAL)),
            TestRoutes.withCache(route("shared", at, new Access.RequiresRole(Set.of("manager", "editor"))), shared),
            TestRoutes.withCache(route("people", at, new Access.Protected()), shared),
            TestRoutes.withCache(route("told", at, new Access.Protected()), kept(shared)),
            TestRoutes.withInject(TestRoutes.withCache(route("untold", at, new Access.Protected()), kept(shared)), InjectConfig.NOTHING),
            TestRoutes.withCache(route("private", at, new Access.Protected()), CacheConfig.USUAL))
        .realm();
  }

  /** Also where the app says nothing. */
  private static CacheConfig kept(CacheConfig c) {
    return new CacheConfig(
        Optional.of(Duration.ofMinutes(1)), c.maxAge(), c.maxObject(), c.staleWhileRevalidate(), c.staleIfError(),
        c.sharing(), c.request(), c.tags(), c.compress());
  }

  private static RouteConfig route(String name, URI app, Access access) {
    Map<String, String> inject = access instanceof Access.Public ? Map.of() : INJECT;
    return new RouteConfig(
        name, new GatewayConfig.Match(Set.of("app.localhost"), "/" + name + "/"), app, access, inject,
        GatewayConfig.SignOn.USUAL);
  }

  static UnaryOperator<CacheConfig> request(CacheConfig.Request request) {
    return c ->
        new CacheConfig(
            c.defaultFreshness(), c.maxAge(), c.maxObject(), c.staleWhileRevalidate(), c.staleIfError(), c.sharing(),
            request, c.tags(), c.compress());
  }

  static UnaryOperator<CacheConfig> stale(Duration whileRevalidate, Duration ifError) {
    return c ->
        new CacheConfig(
            c.defaultFreshness(), c.maxAge(), c.maxObject(), whileRevalidate, ifError, c.sharing(), c.request(),
            c.tags(), c.compress());
  }
}
