package dev.gatehouse.common.realm;

import dev.gatehouse.common.realm.GatewayConfig.Authorization;
import dev.gatehouse.common.realm.GatewayConfig.Identity;
import dev.gatehouse.common.realm.GatewayConfig.Match;
import dev.gatehouse.common.realm.GatewayConfig.Protection;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.GatewayConfig.SignOn;
import java.util.Optional;
import java.util.Set;

/** Copies of routes that differ in one part. */
public final class TestRoutes {

  private TestRoutes() {}

  public static RouteConfig withInject(RouteConfig r, InjectConfig inject) {
    return with(r, new Identity(inject, r.identity().formFill()), r.rewrite(), r.response(), r.protection());
  }

  public static RouteConfig withFormFill(RouteConfig r, FormFillConfig fill) {
    return with(r, new Identity(r.identity().inject(), Optional.of(fill)), r.rewrite(), r.response(), r.protection());
  }

  public static RouteConfig withWebSocket(RouteConfig r, WebSocketConfig webSocket) {
    return with(r, r.identity(), r.rewrite(), r.response(), new Protection(r.protection().traffic(), webSocket));
  }

  public static RouteConfig withTraffic(RouteConfig r, TrafficConfig traffic) {
    return with(r, r.identity(), r.rewrite(), r.response(), new Protection(traffic, r.protection().webSocket()));
  }

  public static RouteConfig withRewrite(RouteConfig r, RewriteConfig rewrite) {
    return with(r, r.identity(), rewrite, r.response(), r.protection());
  }

  public static RouteConfig withResponse(RouteConfig r, ResponseConfig response) {
    return with(r, r.identity(), r.rewrite(), response, r.protection());
  }

  public static RouteConfig withUpstream(RouteConfig r, UpstreamConfig servers) {
    return with(r, r.match(), servers, r.signOn(), r.cache());
  }

  public static RouteConfig withCache(RouteConfig r, CacheConfig cache) {
    return with(r, r.match(), r.upstream(), r.signOn(), Optional.of(cache));
  }

  public static RouteConfig withMethods(RouteConfig r, Set<String> methods) {
    return with(r, new Match(r.match().hosts(), r.match().path(), methods), r.upstream(), r.signOn(), r.cache());
  }

  public static RouteConfig withSignOn(RouteConfig r, SignOnContract contract, SessionDemand demand) {
    SignOn s = r.signOn();
    return with(
        r, r.match(), r.upstream(),
        new SignOn(contract, s.identityProvider(), s.authnContext(), s.bearer(), demand, s.replayPosts()), r.cache());
  }

  /** Returns the route with sessions that count at the device of their login only. */
  public static RouteConfig withAssurance(RouteConfig r, SessionAssurance assurance) {
    SignOn s = r.signOn();
    return with(
        r, r.match(), r.upstream(),
        new SignOn(
            s.contract(), s.identityProvider(), s.authnContext(), s.bearer(), s.session(), Optional.of(assurance), s.replayPosts()),
        r.cache());
  }

  /** Returns the usual rules of the cache with another sharing. */
  public static CacheConfig sharing(CacheConfig.Sharing sharing) {
    CacheConfig c = CacheConfig.USUAL;
    return new CacheConfig(
        c.defaultFreshness(), c.maxAge(), c.maxObject(), c.staleWhileRevalidate(), c.staleIfError(), sharing, c.request(),
        c.tags(), c.compress());
  }

  private static RouteConfig with(
      RouteConfig r, Identity identity, RewriteConfig rewrite, ResponseConfig response, Protection protection) {
    Authorization authorization = r.authorization();
    return new RouteConfig(
        r.name(), r.match(), r.upstream(), authorization, r.signOn(), identity, r.cache(), rewrite, response, protection);
  }

  private static RouteConfig with(
      RouteConfig r, Match match, UpstreamConfig servers, SignOn signOn, Optional<CacheConfig> cache) {
    return new RouteConfig(
        r.name(), match, servers, r.authorization(), signOn, r.identity(), cache, r.rewrite(), r.response(), r.protection());
  }
}
