package dev.gatehouse.gateway.route;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.filter.RouteEdits;
import dev.gatehouse.gateway.cache.CacheScope;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.upstream.Upstream;
import java.util.Optional;

/** One route, compiled. Equal to nothing but itself. */
public final class Route {

  private final RouteConfig config;
  private final Template template;
  private final Upstream upstream;
  private final AccessRule rule;
  private final IdentityFilter conventional;
  private final RouteEdits edits;
  private final Optional<CacheScope> cache;
  private final Match found = new Match.Found(this);

  Route(RouteConfig config, Upstream upstream, AccessRule rule, IdentityFilter conventional, Optional<CacheScope> cache) {
    this.config = config;
    this.template = new Template(config.path().replaceFirst("/$", ""));
    this.upstream = upstream;
    this.rule = rule;
    this.conventional = conventional;
    this.edits = RouteEdits.of(config);
    this.cache = cache;
  }

  public String name() {
    return config.name();
  }

  /** What it was compiled from. */
  public RouteConfig config() {
    return config;
  }

  public Upstream upstream() {
    return upstream;
  }

  public AccessRule rule() {
    return rule;
  }

  /** What another proxy is told of the person besides what is configured, when it asks. */
  public IdentityFilter conventional() {
    return conventional;
  }

  /** What is changed between the client and the app. */
  public RouteEdits edits() {
    return edits;
  }

  /** Present where responses may be kept. */
  public Optional<CacheScope> cache() {
    return cache;
  }

  public boolean replayPosts() {
    return config.replayPosts();
  }

  /**
   * The configured path without a slash at its end: covers itself and everything below it, so that {@code /manager} cannot slip past a
   * rule for {@code /manager/}.
   */
  Template template() {
    return template;
  }

  Match found() {
    return found;
  }

  /** The part of a path of this route that its prefix covers: {@code /accounts/7} of {@code /accounts/7/list}. */
  public String covered(String path) {
    return template.covered(path);
  }

  /** Whether another proxy serves it, which asks us alone whether a request may pass. */
  public boolean isForeign() {
    return config.upstream().isNone();
  }

  /** What stands in such a path where the route's template has that variable. */
  public Optional<String> variable(String variable, String path) {
    return template.value(variable, path);
  }

  @Override
  public String toString() {
    return name();
  }
}
